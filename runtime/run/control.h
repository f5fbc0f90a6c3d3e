/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - the socket at which `lapwing ctl` reaches a run: FOLDER/PID.ctl, accessible to its
 * owner only (folder.h).
 *
 * One datagram is the request, one the answer. The kernel chooses the client's address (autobind),
 * so the client leaves no file behind either.
 */
#ifndef LAPWING_RUN_CONTROL_H
#define LAPWING_RUN_CONTROL_H

#include "runtime/rt.h"

#include <stddef.h>

enum control_word { CONTROL_STATUS, CONTROL_ON, CONTROL_OFF, CONTROL_FLUSH, CONTROL_WORDS };
enum control_kind { CONTROL_SCRIPT, CONTROL_RECORDING, CONTROL_WATCH, CONTROL_KINDS };
extern const char *const control_words[CONTROL_WORDS];	/* "status", ... */

#define CONTROL_MAGIC	0x6c774332u
#define CONTROL_SUFFIX	".ctl"

struct control_request {
	u32	magic;
	u32	word;		/* enum control_word */
};

struct control_answer {
	u32	magic;
	u32	refused;
	u32	kind;		/* enum control_kind */
	u32	paused;
	u64	ran_ns;
	u64	count, lost;	/* samples; of a script records of its output */
	u64	bytes;		/* of the capture or store */
	char	name[64];	/* of the run; NUL terminated, as are the next */
	char	text[400];	/* one line */
	char	file[400];	/* -o; "": none, or too long */
};

/*
 * Accepts requests to a run of that name: act() executes a word and fills the answer, but for its
 * first members and the name; it returns 0, or -1 to refuse. Requests are handled in control_take()
 * only. Returns 0, or -1 if requests are not possible (errno).
 */
int control_open(const char *name, int (*act)(enum control_word word, struct control_answer *a));
void control_take(void);
void control_close(void);

#endif
