/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.c - pass build: prog->c_text to a module file, prog->module; taken from the cache if
 * nothing changed. The C file and its objects are in a private temporary folder, which is kept with
 * -k, or until the end of the run if the module cannot be stored in the cache.
 */
#include "lib/failure.h"
#include "lib/pace.h"
#include "lib/run.h"
#include "translator/build/build.h"
#include "translator/build/cache.h"
#include "translator/build/kbuild.h"
#include "translator/build/user.h"
#include "translator/passes/confirm.h"
#include "translator/passes/pass.h"
#include "translator/program/program.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* -m NAME leaves the module in the current directory, as stap does. */
static char *copy_here(const char *from, const char *name, const char *suffix)
{
	char *to = g_strconcat(name, suffix, NULL), *data;
	gsize len;

	if (!g_file_get_contents(from, &data, &len, NULL) ||
	    !g_file_set_contents_full(to, data, (gssize)len, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
				      NULL)) {
		failure_print("lapwing", FAILURE_FILE_WRITE, "cannot write %s here: %s", to,
			      g_strerror(errno));
		g_clear_pointer(&to, g_free);
	}
	return to;
}

/* State of a thread that shows progress while compilers run. */
struct teller {
	unsigned	probes;
	gint64		end;		/* us, monotonic: estimated end */
	GMutex		mutex;
	GCond		done_changed;
	int		done;		/* mutex */
};

static gpointer tell(gpointer data)
{
	struct teller *t = data;

	pace_begin("lapwing", "building", 0);
	g_mutex_lock(&t->mutex);
	while (!t->done) {
		gint64 now = g_get_monotonic_time();

		pace_show(0, t->probes, now < t->end ? (double)(t->end - now) / 1e6 : -1);
		g_cond_wait_until(&t->done_changed, &t->mutex, now + G_TIME_SPAN_SECOND);
	}
	g_mutex_unlock(&t->mutex);
	pace_end();
	return NULL;
}

/*
 * Compiles; a thread shows meanwhile on a terminal that it goes on. For many probes it estimates the
 * time.
 */
static int compile(struct program *prog, const char *dir, const char *name)
{
	int user = prog->opt->runtime == RUNTIME_USER, many = prog->probes->len > CONFIRM_MANY,
	    failed;
	struct teller t = { .probes = prog->probes->len };
	GThread *thread = NULL;
	unsigned own = 0;

	for (unsigned i = 0; i < prog->probes->len; i++) {
		const struct probe *p = g_ptr_array_index(prog->probes, i);

		own += p->handler == p->cname;
	}
	if (many)
		t.end = g_get_monotonic_time() + (gint64)(1000 * CONFIRM_BUILD_MS(t.probes, own));
	if (isatty(STDERR_FILENO))
		thread = g_thread_new("tell", tell, &t);
	failed = user ? user_module(prog, dir, name) : kbuild_module(prog, dir, name);
	if (thread) {
		g_mutex_lock(&t.mutex);
		t.done = 1;
		g_cond_signal(&t.done_changed);
		g_mutex_unlock(&t.mutex);
		g_thread_join(thread);
	}
	return failed;
}

/*
 * Builds in a fresh folder. Returns the module's path in the cache (or in the folder, which is then
 * kept), or NULL.
 */
static char *build(struct program *prog, const char *key, const char *name, const char *suffix)
{
	char *dir = g_build_filename(g_get_tmp_dir(), "lapwing-XXXXXX", NULL), *script, *built,
	     *kept = NULL, *data = NULL;
	gsize len;
	int failed;

	if (!g_mkdtemp_full(dir, 0700)) {
		failure_print("lapwing", FAILURE_FILE_WRITE, "cannot make a temporary folder %s: %s",
			      dir, g_strerror(errno));
		g_free(dir);
		return NULL;
	}
	script = g_build_filename(dir, "script.c", NULL);
	built = g_strdup_printf("%s/%s%s", dir, name, suffix);
	failed = !g_file_set_contents(script, prog->c_text, -1, NULL);
	if (failed)
		failure_print("lapwing", FAILURE_FILE_WRITE, "cannot write %s: is the disk full?",
			      script);
	else
		failed = compile(prog, dir, name);
	if (!failed && prog->opt->cache != CACHE_DISABLE &&
	    g_file_get_contents(built, &data, &len, NULL))
		kept = cache_store(key, suffix, data, len);
	if (!failed && !kept) {
		kept = g_strdup(built);
		prog->module_folder = prog->opt->keep ? NULL : g_strdup(dir);
	} else if (!prog->opt->keep) {
		build_remove_folder(dir);
	}
	g_free(data);
	if (prog->opt->keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", dir);
	g_free(script);
	g_free(built);
	g_free(dir);
	return kept;
}

void pass_build(struct program *prog)
{
	const struct options *opt = prog->opt;
	const char *suffix = opt->runtime == RUNTIME_USER ? ".so" : ".ko";
	char *key = cache_key(prog), *name, *module;

	/* Without -m, the loader gives each session its own name, of the same length. */
	name = opt->module_name ? g_strdup(opt->module_name) : g_strdup_printf("lapwing_%.8s", key);
	module = opt->keep || opt->cache != CACHE_USE ? NULL : cache_find(key, suffix);
	prog->module_cached = module != NULL;
	if (!module)
		module = build(prog, key, name, suffix);
	if (module && opt->module_name && opt->last_pass == 4)
		prog->module = copy_here(module, name, suffix);
	else if (module)
		prog->module = g_strdup(module);
	if (prog->module_folder && opt->module_name && opt->last_pass == 4) {
		build_remove_folder(prog->module_folder);
		g_clear_pointer(&prog->module_folder, g_free);
	}
	if (!prog->module)
		prog->ast->diag->errors++;
	g_free(module);
	g_free(name);
	g_free(key);
}
