/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spe.c - fuzz entry: SPE records: each call reads on, and stays in the bytes. */
#include "perf/spe.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const u8 *at = data, *before;
	struct spe_record r;
	int rc;

	do {
		before = at;
		rc = spe_next(&at, data + size, size, &r);
		if (at < before || at > data + size || (rc ? at == before : at != before))
			abort();
		if (rc > 0)
			spe_data_src(&r, r.timestamp);
	} while (rc);
	return 0;
}
