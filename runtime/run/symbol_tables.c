/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_tables.c - symbol tables of the kernel and of programs: for the module, to which they are
 * sent, and for what is symbolized here.
 */
#include "runtime/run/symbol_tables.h"

#include "lib/clock.h"
#include "lib/ksyms.h"
#include "runtime/core/symbol.h"
#include "runtime/run/facts.h"
#include "runtime/run/run.h"
#include "runtime/run/trace.h"
#include "runtime/run/track.h"
#include "symbolize/generated.h"
#include "symbolize/kernel.h"
#include "symbolize/process.h"
#include "symbolize/symfile.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNELS_MAX 16

/* Of the kernel and its modules: as it was at the start, and again when modules had come. */
static struct wire_symtab *kernels[KERNELS_MAX];
static unsigned nkernels;
static int kernel_lines;

static void send_table(u64 dev, u64 ino, const struct wire_symtab *t, u64 bytes)
{
	enum { CHUNK = 32768 };
	static struct { struct wire_symbols s; u8 bytes[CHUNK]; } part;

	for (u64 at = 0; at < bytes; at += CHUNK) {
		u32 n = bytes - at < CHUNK ? (u32)(bytes - at) : CHUNK;

		/* The payload is padded to 8; the table's own end says where it stops. */
		part.s = (struct wire_symbols){
			.dev = dev, .ino = ino, .total = (bytes + 7) & ~7ULL, .offset = at
		};
		memset(part.bytes, 0, sizeof(part.bytes));
		memcpy(part.bytes, (const u8 *)t + at, n);
		if (command_send(WIRE_SYMBOLS, 0, &part, (u32)sizeof(part.s) + ((n + 7) & ~7U))) {
			warn("the runtime has no room for more symbols: some addresses have no name");
			return;
		}
	}
}

/* True at the first call for an image: its table is sent once. */
static int is_new(u64 dev, u64 ino)
{
	static struct { u64 dev, ino; } *sent;
	static size_t n;
	void *more;

	for (size_t i = 0; i < n; i++)
		if (sent[i].dev == dev && sent[i].ino == ino)
			return 0;
	more = realloc(sent, (n + 1) * sizeof(*sent));
	if (!more)
		return 0;
	sent = more;
	sent[n].dev = dev;
	sent[n++].ino = ino;
	return 1;
}

static void send_image(struct image *im)
{
	const struct wire_symtab *t;

	if (!im ||
	    !(facts.hello.capture & RT_CAP_USYMS || facts.hello.flags & WIRE_WANTS_CALLERS) ||
	    !is_new(im->dev, im->ino))
		return;
	t = image_symbols(im);
	if (t)
		send_table(im->dev, im->ino, t, im->bytes);
}

static void send_process(pid_t pid)
{
	track_read();
	track_look(pid);
	process_each_image(pid, send_image);
}

/* ---- code that processes generate --------------------------------------------*/

static pid_t makers[64];		/* processes that the module asked about; any more are
					 * not updated */
static unsigned nmakers;

static void send_made(pid_t pid)
{
	int newer;
	u64 bytes;
	const struct wire_symtab *t = process_made(pid, &bytes, &newer);

	if (t && newer)
		send_table(WIRE_DEV_MADE, (u64)pid, t, bytes);
}

/* The process has exited; its code's table is dropped in the module. */
static void forget_made(pid_t pid)
{
	const struct wire_symbols none = { .dev = WIRE_DEV_MADE, .ino = (u64)pid };

	command_send(WIRE_SYMBOLS, 0, &none, sizeof(none));
}

void symbols_asked(const struct wire_image_id *id)
{
	if (id->dev != WIRE_DEV_MADE) {
		send_process(id->pid);
		return;
	}
	send_made(id->pid);
	if (nmakers < sizeof(makers) / sizeof(makers[0]))
		makers[nmakers++] = id->pid;
}

/*
 * Once a second: sends the code generated since then. Output older than a second has been printed.
 */
void symbols_again(void)
{
	static u64 last;
	u64 now = clock_ns();

	if (now / 1000000000 == last)
		return;
	last = now / 1000000000;
	track_until(now - 1000000000);
	for (unsigned i = 0; i < nmakers; i++) {
		send_made(makers[i]);
		if (kill(makers[i], 0) && errno == ESRCH) {
			forget_made(makers[i]);
			makers[i--] = makers[--nmakers];
		}
	}
	generated_free_replaced();
}

/* ---- programs ------------------------------------------------------------------*/

/* A file named by a word of the command of -c: its functions are known before it runs. */
static void send_word(const char *word)
{
	const char *path = strchr(word, '/') ? "" : getenv("PATH");
	char file[4096];

	do {
		size_t n = path ? strcspn(path, ":") : 0;
		struct image *im;
		char *whole;

		snprintf(file, sizeof(file), "%.*s%s%s", (int)n, path ? path : "", n ? "/" : "",
			 word);
		whole = realpath(file, NULL);
		im = whole ? image_of_file(whole) : NULL;
		free(whole);
		if (im) {
			send_image(im);
			return;
		}
		path = path && path[n] ? path + n + 1 : NULL;
	} while (path);
}

static void send_command(void)
{
	char *words = opt.command ? strdup(opt.command) : NULL, *save = NULL;

	for (char *word = words ? strtok_r(words, " \t;&|()", &save) : NULL; word;
	     word = strtok_r(NULL, " \t;&|()", &save))
		send_word(word);
	free(words);
}

static void send_programs(void)
{
	track_open(send_image);
	send_command();
	if (opt.pid)
		send_process(opt.pid);
	else
		process_each_there(send_process);
}

/* True if other modules are loaded than at the last call; looked at once in 100 ms at most. */
static int modules_have_come(void)
{
	static u64 looked, key;
	u64 now = clock_ns(), last = key;

	if (looked && now - looked < 100000000)
		return 0;
	looked = now;
	key = ksyms_key_running();
	return key != last;
}

void symbols_send(void)
{
	u64 bytes;

	int lines = facts.hello.capture & RT_CAP_LINES || trace_wants_lines();

	if (lines || (opt.capture && facts.hello.capture & RT_CAP_NAMES))
		image_want(SYMFILE_LINES);
	if (facts.hello.flags & WIRE_WANTS_CALLERS)
		image_want(SYMFILE_CALLERS);
	if (facts.hello.capture & (RT_CAP_KSYMS | RT_CAP_NAMES)) {
		kernel_lines = lines;
		modules_have_come();
		kernels[0] = symfile_kernel(lines, &bytes);
		nkernels = kernels[0] != NULL;
		if (!nkernels)
			warn_text(
				"kernel symbols are hidden (kernel.kptr_restrict): kernel addresses have no names");
		else if (facts.hello.capture & RT_CAP_KSYMS)
			send_table(0, 0, kernels[0], bytes);
	}
	generated_on_warning(warn_text);
	if (facts.hello.capture & (RT_CAP_USYMS | RT_CAP_USTACK) ||
	    (facts.hello.capture & RT_CAP_NAMES && session == &session_kernel))
		send_programs();
}

void symbols_look(void)
{
	if (!(facts.hello.capture & RT_CAP_NAMES) || session == &session_kernel)
		return;
	if (!opt.only_target)
		process_each_there(track_look);
	else if (opt.pid)
		track_look(opt.pid);
}

/* The newest table that knows it, as a module may be where another one was; else the newest one. */
static const struct wire_symtab *find_in_kernel(u64 addr)
{
	u64 bytes;

	for (unsigned i = nkernels; i--; )
		if (symtab_find(kernels[i], addr))
			return kernels[i];
	if (nkernels && nkernels < KERNELS_MAX && modules_have_come()) {
		kernels[nkernels] = symfile_kernel(kernel_lines, &bytes);
		nkernels += kernels[nkernels] != NULL;
	}
	return nkernels ? kernels[nkernels - 1] : NULL;
}

const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at)
{
	*at = addr;
	return user ? process_symbols(pid, addr, at) : find_in_kernel(addr);
}

void symbols_free(void)
{
	while (nkernels)
		free(kernels[--nkernels]);
	track_close();
}
