/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - a capture in memory, checked: every id in it is valid. All reports are made from it.
 *
 * Owned by struct profile; nothing changes after profile_read(), except names that symbolize.h
 * adds.
 */
#ifndef LAPWING_REPORT_PROFILE_H
#define LAPWING_REPORT_PROFILE_H

#include "report/capture.h"

#include <glib.h>

#define PROFILE_NONE G_MAXUINT32

/* as in capture.proto */
enum image_kind { IMAGE_FILE, IMAGE_KERNEL, IMAGE_VDSO, IMAGE_MADE, IMAGE_UNKNOWN };

struct profile_function {
	guint64		start, size;
	char		*name;
};

/* A source line of an offset; the innermost inlined function first. */
struct profile_line {
	guint64		offset;
	const char	*file;
	guint32		line;
	char		*function;
};

struct profile_code {
	guint64		offset, address;
	guint8		*bytes;
	gsize		size;
};

struct profile_image {
	enum image_kind	kind;
	char		*path;
	guint8		*build_id;
	gsize		build_id_size;
	GArray		*functions;	/* struct profile_function, by start */
	GArray		*lines;		/* struct profile_line, by offset */
	GArray		*code;		/* struct profile_code, by offset */
	GStringChunk	*names;		/* of files */
};

struct profile_event {
	char		*name;
	guint64		period;
	int		nanoseconds;	/* unit; else a count */
	int		blocked;	/* time off the CPU */
	int		varied;		/* its clock had several rates, as those of a store may have */
};

struct profile_process {
	gint32		pid;		/* 0: the idle tasks, or several processes */
	char		*name;
	char		*cgroup;	/* path of the control group; "": none or unknown */
	guint64		start;		/* ns; 0: before the capture */
	guint32		phase;		/* the current phase, while a capture is read */
};

struct profile_thread {
	guint32		process;
	gint32		tid;		/* 0: idle; below 0: all threads of several processes */
	char		*name;
	guint64		on, off;	/* ns, exact; both 0: unknown */
};

struct profile_place {
	guint32		image;
	guint32		function;	/* index in the image's functions; PROFILE_NONE: unknown */
	guint64		offset;
};

struct profile_node {
	guint32		parent;		/* PROFILE_NONE: the outermost frame */
	guint32		place;
	guint32		depth;		/* 1: no parent */
};

struct profile_sample {
	guint64		time, weight;
	guint64		count;		/* so many alike were merged, as `lapwing watch` does; else 1 */
	guint64		late;		/* 1 + ns after it was due; 0: unknown */
	guint32		thread, cpu, event;
	guint32		node;		/* PROFILE_NONE: no stack */
	int		cut;		/* its stack does not reach the start of its thread */
	int		uncertain;	/* the innermost function's caller is uncertain */
	guint32		phase;		/* of profile.phases; PROFILE_NONE */
};

/*
 * An epoch of a store of lapwing watch, ns like the samples' times, which are those of their epochs'
 * starts.
 */
struct profile_epoch {
	guint64		start, end, lost;
};

struct profile_phase {
	char		*name;
	guint64		start;
	guint32		process;
};

/* Exact calls, by functions of profile.callees; caller PROFILE_NONE: none of them. */
struct profile_arc {
	guint32		caller, callee;
	/* ns; total: with what the callee called; 0: not above the floor, if there is one */
	guint64		calls, self, total;
};

/* The count of an arc for one event of profile.counted. */
struct profile_count {
	guint64		self, total;
};

struct profile_callee {
	char		*name, *image;
	guint64		inclusive;	/* ns */
};

/* As in capture.proto. */
enum column_kind { COLUMN_NUMBER, COLUMN_TEXT, COLUMN_STACK, COLUMN_ADDRESS, COLUMN_RETURN, COLUMN_FUNCTION, COLUMN_SYMBOL, COLUMN_IMAGE,
		   COLUMN_FILE, COLUMN_LINE, COLUMN_SOURCE };

/* A column of the records that one call of stp() wrote. */
struct profile_column {
	char		*name;
	enum column_kind kind;
};

/* The columns of one call: those of profile.columns from `first` on. */
struct profile_call {
	guint32		first, n;
};

/* A record: its values are those of profile.values from `first` on, one for each column of its call. */
struct profile_record {
	guint64		time;
	guint32		call, thread, cpu, probe;
	gsize		first;
};

struct profile_books {
	int		complete;	/* the capture has its final accounting: no sample is
					 * missing */
	int		unnamed;	/* symbolization may be incomplete */
	guint32		skips_unknown;	/* enum verdict_skips: such samples are not in `lost` */
	guint64 end, expected, received, lost, idle, own, own_cpu, throttled, paused, asleep;
	guint64 records, records_lost, missed;	/* of scripts */
	char	*partial;		/* why the script's run was not COMPLETE; NULL: it was */
	char	**warnings;		/* of the script's run; NULL: there are none */
};

struct profile {
	char		*path;
	char		*machine, *kernel, *host, *boot, *command, *program;
	guint64		start, wall;	/* ns */
	guint32		cpus;
	int		system_wide;
	GArray		*events, *images, *processes, *threads, *places, *nodes, *samples, *phases, *callees, *counts, *columns, *calls,
			*records, *values, *epochs, *arcs;	/* epochs: empty unless they are told apart */
	/* of records; char * */
	GPtrArray	*texts, *probes;
	/*
	 * calls that found the table of arcs full, and of how many arcs: only a lower bound if that
	 * is not less than the number of arcs
	 */
	guint64		calls_refused, arcs_refused;
	char		**counted;	/* events of the arcs; NULL: none */
	/* of each event: how far a call's count may be from its floor */
	guint64		*counted_spread;
	guint64		calls_left;	/* calls without a return */
	/* ns subtracted as the probes' own cost; how far a call's own cost may be from that */
	guint64		calls_own, calls_spread;
	guint64		calls_raw;	/* calls from which nothing was subtracted */
	struct profile_books books;
	guint64		sampled;	/* number of samples: the sum of their counts */
	guint64		uncertain;	/* of them, uncertain ones */
	char		*damage;	/* why the profile is incomplete; NULL: complete */
};

#define PROFILE_AT(array, type, i) (&g_array_index((array), struct profile_##type, (i)))

/*
 * Reads a capture, or its bytes (->path is NULL then). A truncated one gives its valid part, and
 * ->damage. NULL with *error set. profile_free() frees.
 */
struct profile *profile_read(const char *path, GError **error);
struct profile *profile_parse(const guint8 *bytes, gsize size, GError **error);
void profile_free(struct profile *p);
struct profile *profile_new(void);	/* an empty one: fill it by profile_take(), a header
					 * first */
/*
 * Adds the contents of a frame; 0, or -1 with *error set. Call profile_sort_image() and
 * profile_bind() afterwards.
 */
int profile_take(struct profile *p, const Cap__Frame *frame, GError **error);

/*
 * The function of a place, or NULL; a place's lines, their number in *n; the stored code that
 * contains an offset, or NULL.
 */
const struct profile_function *profile_function_of(const struct profile *p, guint32 place);
const struct profile_line *profile_lines_of(const struct profile *p, guint32 place, guint *n);
const struct profile_code *profile_code_of(const struct profile_image *image, guint64 offset);
/* Looks up all places' functions again, after functions were added. */
void profile_bind(struct profile *p);
/* Sorts functions and lines by address. */
void profile_sort_image(struct profile_image *image);
int profile_in_kernel(const struct profile *p, guint32 place);
/* The run's end, ns; of a capture that was cut off: its latest sample or record. Not before its start. */
guint64 profile_end(const struct profile *p);
/* True for the kernel's idle tasks. */
int profile_is_idle(const struct profile *p, const struct profile_sample *s);
/*
 * Replaces the stacks of all idle samples by one function "(idle)", for reports that only use
 * stacks.
 */
void profile_name_idle(struct profile *p);

#endif
