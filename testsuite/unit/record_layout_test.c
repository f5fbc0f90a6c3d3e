/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_layout_test.c - where records have what, by format files as 6.1 has them, and 6.1 with
 * PREEMPT_RT, whose records begin with one field more.
 */
#include "runtime/user/events/record_layout.h"

#include "lib/tracefs_layout.h"
#include "testsuite/unit/check.h"

#include <string.h>

#define COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
#define COMMON_RT \
	COMMON "\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;\tsigned:0;\n"
#define NUMBER(type, name, at, size) \
	"\tfield:" type " " name ";\toffset:" at ";\tsize:" size ";\tsigned:0;\n"

/* A system call: what the runtime asks of raw_syscalls, and of the events of single calls. */
static void test_calls(void)
{
	struct record_layout l = record_layout_of_call("name: sys_enter\nID: 443\n" COMMON "\n" NUMBER(
		"long", "id", "8", "8") NUMBER("unsigned long", "args[6]", "16", "48"));

	CHECK(l.number == 8 && l.number_bytes == 8 && l.arguments == 16);
	CHECK(!l.result && !l.address && !l.fetched);
	l = record_layout_of_call("name: sys_enter\nID: 377\n" COMMON_RT "\n" NUMBER("long", "id", "16", "8")
				  NUMBER("unsigned long", "args[6]", "24", "48"));
	CHECK(l.number == 16 && l.number_bytes == 8 && l.arguments == 24);
	l = record_layout_of_call("name: sys_exit\nID: 376\n" COMMON_RT "\n" NUMBER("long", "id", "16", "8")
				  NUMBER("long", "ret", "24", "8"));
	CHECK(l.number == 16 && l.result == 24 && !l.arguments);
	l = record_layout_of_call("name: sys_enter_setpgid\nID: 187\n" COMMON_RT "\n" NUMBER(
		"int", "__syscall_nr", "12", "4") NUMBER("pid_t", "pid", "16", "8")
				  NUMBER("pid_t", "pgid", "24", "8"));
	CHECK(l.number == 12 && l.number_bytes == 4 && l.arguments == 16 && !l.result);
	l = record_layout_of_call("name: sys_exit_setuid\nID: 194\n" COMMON_RT "\n" NUMBER(
		"int", "__syscall_nr", "12", "4") NUMBER("long", "ret", "16", "8"));
	CHECK(l.number == 12 && l.result == 16);
	l = record_layout_of_call("name: sys_enter_getpid\nID: 163\n" COMMON "\n" NUMBER(
		"int", "__syscall_nr", "8", "4") "\nprint fmt: \"\"\n");
	CHECK(l.number == 8 && l.number_bytes == 4 && !l.arguments);
}

/* Events of this runtime's own, with what they fetch. */
static void test_own(void)
{
	struct record_layout l = record_layout_of_probe("name: k0\nID: 1520\n" COMMON "\n" NUMBER(
		"unsigned long", "__probe_ip", "8", "8") NUMBER("u64", "a1", "16", "8"));

	CHECK(l.address == 8 && l.fetched == 16);
	l = record_layout_of_probe("name: k0\nID: 1520\n" COMMON_RT "\n" NUMBER(
		"unsigned long", "__probe_ip", "16", "8") NUMBER("u64", "a1", "24", "8"));
	CHECK(l.address == 16 && l.fetched == 24 && !l.number);
	l = record_layout_of_probe("name: k0\nID: 1521\n" COMMON_RT "\n" NUMBER(
		"unsigned long", "__probe_func", "16", "8") NUMBER("unsigned long", "__probe_ret_ip",
								   "24", "8")
				  NUMBER("u64", "ret", "32", "8"));
	CHECK(l.address == 16 && l.fetched == 32 && l.result == 32);
	l = record_layout_of_probe("name: u0\nID: 1522\n" COMMON_RT "\n" NUMBER(
		"unsigned long", "__probe_ip", "16", "8"));
	CHECK(l.address == 16 && l.fetched == 24);
}

/* Fields one by one; lines that are none, and a damaged one, are skipped. */
static void test_fields(void)
{
	const char *text = "name: sched_switch\nID: 316\n" COMMON "\n"
			   "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:torn;\toffset:24\n"
			   "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			   "\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"
			   "\nprint fmt: \"field:int x; offset:1; size:2;\"";
	struct tracefs_place place;

	for (int i = 0; i < 4; i++)
		CHECK(tracefs_layout_next(&text, &place) && !strncmp(place.name, "common_", 7));
	CHECK(tracefs_layout_next(&text, &place) && !strcmp(place.name, "prev_comm"));
	CHECK(place.offset == 8 && place.size == 16);
	CHECK(tracefs_layout_next(&text, &place) && !strcmp(place.name, "prev_pid"));
	CHECK(place.offset == 24 && place.size == 4);
	CHECK(tracefs_layout_next(&text, &place) && !strcmp(place.name, "name"));
	CHECK(place.offset == 28);
	CHECK(!tracefs_layout_next(&text, &place) && !*text);
}

int main(void)
{
	test_calls();
	test_own();
	test_fields();
	return failures != 0;
}
