/* SPDX-License-Identifier: GPL-2.0-or-later */
/* naming.c - see naming.h. */
#include "record/naming.h"

#include "lib/progress.h"
#include "record/stacks.h"
#include "report/symbolize.h"
#include "symbolize/process.h"

static void put(void *writer, const Cap__Frame *frame)
{
	capture_put(writer, frame);
}

void naming_image(guint i, const GArray *offsets,
		  void (*take)(void *data, const Cap__Frame *frame), void *data)
{
	const struct kept_image *kept = stacks_image(i);
	struct symbolize_image what = { .id = i,
					.path = kept->path,
					.fd = kept->image ? kept->image->fd : -1,
					.offsets = (GArray *)offsets };
	u64 bytes;
	int newer;

	if (kept->kind == CAP__IMAGE__KIND__KERNEL)
		what.kernel = 1;
	else if (kept->kind == CAP__IMAGE__KIND__MADE)
		what.table = process_made(kept->pid, &bytes, &newer);
	else if (kept->image)
		what.table = image_symbols(kept->image);
	what.vdso = kept->kind == CAP__IMAGE__KIND__VDSO;
	if (offsets->len)
		symbolize_image(&what, take, data);
}

guint naming_put(struct capture_writer *w, int quiet, const volatile sig_atomic_t *stop)
{
	guint n = stacks_images(), i;

	if (!quiet)
		progress_begin();
	for (i = 0; i < n && !*stop; i++) {
		GArray *offsets = stacks_offsets(i);

		progress_say("naming: image %u of %u %s", i + 1, n, stacks_image(i)->path);
		naming_image(i, offsets, put, w);
		g_array_free(offsets, TRUE);
	}
	progress_end();
	return n - i;
}
