/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.c - -t: prints the probes' times at the end, one line per probe that was hit, in
 * SystemTap's format. Written to standard error: standard output belongs to the script.
 */
#include "runtime/run/timing.h"

#include "runtime/run/facts.h"
#include "runtime/run/run.h"

/* Variance of the handlers' times; as an integer, like @variance. */
u64 timing_variance(const struct wire_account *a)
{
	long double sum = (long double)a->took, n = (long double)a->timed;
	long double v = n > 1 ? ((long double)a->took_squares - sum * sum / n) / (n - 1) : 0;

	return v > 0 ? (u64)v : 0;
}

static void print_row(unsigned id, const struct wire_account *a)
{
	fprintf(stderr, "%s, (%s), hits: %llu, %s: %llumin/%lluavg/%llumax, p99: %llu",
		probe_point(id), probe_where(id), a->timed,
		facts.hello.flags & WIRE_TIMES_NS ? "ns" : "cycles", a->took_min,
		a->took / a->timed, a->took_max, a->took_p99);
	if (a->took_squares != ~0ULL)
		fprintf(stderr, ", variance: %llu", timing_variance(a));
	fprintf(stderr, ", index: %u\n", id);
}

/* SystemTap's reasons for skipped probes. */
static void print_skips(void)
{
	u64 stack = 0, nested = 0;

	for (unsigned i = 0; i < accounts.nprobes; i++) {
		stack += accounts.probe[i].missed_stack;
		nested += accounts.probe[i].missed_nested;
	}
	for (unsigned i = 0; i < accounts.nglobals; i++)
		if (accounts.global[i].books.lock_timeouts)
			warn("Skipped due to global '%s' lock timeout: %llu",
			     accounts.global[i].name, accounts.global[i].books.lock_timeouts);
	if (stack)
		warn("Skipped due to low stack: %llu", stack);
	if (nested)
		warn("Skipped due to reentrancy: %llu", nested);
}

void timing_report(void)
{
	fputs("----- probe hit report: \n", stderr);
	for (unsigned i = 0; i < accounts.nprobes; i++)
		if (accounts.probe[i].timed)
			print_row(i, &accounts.probe[i]);
	print_skips();
}
