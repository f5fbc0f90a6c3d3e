/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - prints the tables of options (lib/options.h) as entries of manual pages and as
 * completions: a program of the build, not installed.
 *
 *	doc/options man PROGRAM		the entries of its manual page
 *	doc/options letters		LETTER NAME PROGRAM, a line for each letter of a subcommand
 *	doc/options bash | zsh		completions
 */
#include <stdio.h>
#include <string.h>

#define COLUMNS 90		/* of text in manual pages */

struct entry {
	int		letter;
	const char	*name, *arg, *kind, *text;
};

#define OPTION(letter, name, arg, kind, place, text) { letter, name, arg, #kind, text },
#define OPTION_GROUP(text) { 0, NULL, NULL, "TITLE", text },
#define OPTION_MORE(text) { 0, NULL, NULL, "MORE", text },
#define TABLE(name) static const struct entry name[] = {
#define END { 0 } };

TABLE(of_annotate)
#include "report/annotate.def"
END
TABLE(of_callgraph)
#include "report/callgraph.def"
END
TABLE(of_ctl)
#include "cmd/ctl.def"
END
TABLE(of_doctor)
#include "cmd/doctor/doctor.def"
END
TABLE(of_events)
#include "cmd/events.def"
END
TABLE(of_examples)
#include "cmd/examples.def"
END
TABLE(of_explain)
#include "cmd/explain.def"
END
TABLE(of_export)
#include "report/export.def"
END
TABLE(of_flame)
#include "report/flame.def"
END
TABLE(of_lapwing)
#include "translator/driver/cli.def"
END
TABLE(of_profile)
#include "cmd/profile.def"
END
TABLE(of_record)
#include "record/record.def"
END
TABLE(of_report)
#include "report/report.def"
END
TABLE(of_run)
#include "runtime/run/run.def"
END
TABLE(of_staprun)
#include "runtime/run/staprun.def"
END
TABLE(of_stopwatch)
#include "cmd/stopwatch.def"
END
TABLE(of_top)
#include "record/top.def"
END

static const struct program {
	const char	*name;		/* of lapwing-NAME; "": lapwing itself */
	const struct entry *entries;
	const char	*words;		/* arguments that are not options: FILE, or the words */
} programs[] = {
	{ "annotate", of_annotate, "FILE" },
	{ "callgraph", of_callgraph, "FILE" },
	{ "ctl", of_ctl, "on off flush status" },
	{ "doctor", of_doctor, "FILE" },
	{ "events", of_events, "FILE" },
	{ "examples", of_examples, "FILE" },
	{ "explain", of_explain, "FILE" },
	{ "export", of_export, "FILE" },
	{ "flame", of_flame, "FILE" },
	{ "profile", of_profile, "FILE" },
	{ "record", of_record, "FILE" },
	{ "report", of_report, "FILE" },
	{ "run", of_run, "FILE" },
	{ "staprun", of_staprun, "FILE" },
	{ "stopwatch", of_stopwatch, "FILE" },
	{ "top", of_top, "FILE" },
	{ "", of_lapwing, "FILE" },
	{ NULL }
};

/* Programs that `lapwing NAME` runs; run and staprun have the letters of SystemTap's staprun. */
static int is_subcommand(const struct program *p)
{
	return *p->name && strcmp(p->name, "run") && strcmp(p->name, "staprun");
}

static int is(const struct entry *e, const char *kind)
{
	return !strcmp(e->kind, kind);
}

static int works(const struct entry *e)
{
	return !is(e, "IGNORED") && !is(e, "REFUSED") && !is(e, "TITLE") && !is(e, "MORE");
}

/* An optional value can only follow '='. */
static int may_lack(const struct entry *e)
{
	return e->arg && e->arg[0] == '[';
}

/* ---- the manual page ---------------------------------------------------------------*/

static void put_roff(const char *text, size_t n)
{
	for (; n; text++, n--) {
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
	}
}

/* Prints lines of at most COLUMNS; escapes a dot or quote at the start, which begins a request. */
static void put_lines(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column && column + n >= COLUMNS) {
			putchar('\n');
			column = 0;
		}
		fputs(column ? " " : strchr(".'", *text) ? "\\&" : "", stdout);
		put_roff(text, n);
		column += n + 1;
		text += n + (text[n] == ' ');
	}
}

static void put_bold(const char *text)
{
	fputs("\\fB", stdout);
	put_roff(text, strlen(text));
	fputs("\\fR", stdout);
}

static void put_value(const struct entry *e, const char *between)
{
	if (!e->arg)
		return;
	fputs(may_lack(e) ? "" : between, stdout);
	fputs("\\fI", stdout);
	put_roff(e->arg, strlen(e->arg));
	fputs("\\fR", stdout);
}

static void put_head(const struct entry *e)
{
	char letter[] = { '-', (char)e->letter, 0 };

	puts(".TP");
	if (e->letter) {
		put_bold(letter);
		if (!e->name || !may_lack(e))
			put_value(e, " ");
	}
	if (e->name) {
		fputs(e->letter ? ", \\fB\\-\\-" : "\\fB\\-\\-", stdout);
		put_roff(e->name, strlen(e->name));
		fputs("\\fR", stdout);
		put_value(e, "=");
	}
	putchar('\n');
}

/* Texts of the tables are clauses, which get a full stop here. */
static void print_man(const struct program *p)
{
	const struct entry *last = NULL;

	for (const struct entry *e = p->entries; e->kind; e++) {
		if (is(e, "TITLE")) {
			printf(".SS %s\n", e->text);
			continue;
		}
		if (is(e, "MORE") ? !last || !works(last) : !works(e)) {
			last = is(e, "MORE") ? last : e;
			continue;
		}
		if (!is(e, "MORE")) {
			put_head(e);
			last = e;
		}
		put_lines(e->text);
		puts(is(e, "MORE") ? "" : ".");
	}
}

/* ---- letters -----------------------------------------------------------------------*/

/* Letters of subcommands only: lapwing's own are those of stap. */
static void print_letters(void)
{
	for (const struct program *p = programs; p->name; p++)
		for (const struct entry *e = p->entries; is_subcommand(p) && e->kind; e++)
			if (works(e) && e->letter)
				printf("%c %s %s\n", e->letter, e->name ? e->name : "-", p->name);
}

/* ---- completions -------------------------------------------------------------------*/

/* True if the value is one of a few words, separated by '|'. */
static int is_choice(const struct entry *e)
{
	return e->arg && strchr(e->arg, '|') && !strpbrk(e->arg, ":,");
}

static int is_file(const struct entry *e)
{
	static const char *const files[] = { "FILE",     "DIR",    "PATH", "BASE",
					     "NAME.svg", "SCRIPT", NULL };
	int i = 0;

	while (files[i] && (!e->arg || strcmp(files[i], e->arg)))
		i++;
	return files[i] != NULL;
}

static void put_choice(const struct entry *e)
{
	for (const char *p = e->arg + (may_lack(e) ? 2 : 0); *p && *p != ']'; p++)
		putchar(*p == '|' ? ' ' : *p);
}

static void bash_options(const struct program *p)
{
	printf("\t%s) options='", *p->name ? p->name : "lapwing");
	for (const struct entry *e = p->entries; e->kind; e++) {
		if (!works(e))
			continue;
		if (e->letter)
			printf("-%c ", e->letter);
		if (e->name)
			printf("--%s%s ", e->name, e->arg && !may_lack(e) ? "=" : "");
	}
	puts("';;");
}

static void bash_value(const char *program, const char *option, const struct entry *e)
{
	printf("\t'%s %s') values='", program, option);
	put_choice(e);
	puts("';;");
}

static void bash_values(const struct program *p)
{
	const char *name = *p->name ? p->name : "lapwing";
	char option[64];

	for (const struct entry *e = p->entries; e->kind; e++) {
		if (!works(e) || !is_choice(e))
			continue;
		snprintf(option, sizeof(option), "-%c", e->letter);
		if (e->letter && !may_lack(e))
			bash_value(name, option, e);
		snprintf(option, sizeof(option), "--%s", e->name ? e->name : "");
		if (e->name)
			bash_value(name, option, e);
	}
}

static void put_subcommands(const char *between)
{
	const char *before = "";

	for (const struct program *p = programs; p->name; p++)
		if (is_subcommand(p)) {
			printf("%s%s", before, p->name);
			before = between;
		}
}

/* bash splits words at '=', so that --name=value is three words. */
static const char bash_begin[] =
	"\t[ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\t[ \"$cur\" = = ] && cur=\n"
	"\tif [ \"$program\" = lapwing ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
	"\t\tcase \" $subcommands \" in *\" ${COMP_WORDS[1]} \"*) program=${COMP_WORDS[1]};; esac\n"
	"\telif [ \"$program\" = lapwing ]; then\n"
	"\t\tvalues=$subcommands\n"
	"\tfi\n"
	"\tprogram=${program#lapwing-}\n"
	"\t[ \"$program\" != stap ] || program=lapwing\n";
static const char bash_end[] =
	"\tcase $cur in\n"
	"\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"));;\n"
	"\t*) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"));;\n"
	"\tesac\n"
	"\tcase ${COMPREPLY[0]} in *=) compopt -o nospace 2> /dev/null;; esac\n"
	"\treturn 0\n"
	"}\n";

static void print_bash(void)
{
	puts("# bash completion of lapwing and its programs, made of the tables of options\n"
	     "_lapwing() {\n"
	     "\tlocal program=${1##*/} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tlocal options= values= subcommands=");
	fputs("\tsubcommands='", stdout);
	put_subcommands(" ");
	printf("'\n%s\tcase $program in\n", bash_begin);
	for (const struct program *p = programs; p->name; p++)
		bash_options(p);
	puts("\tesac\n\tcase \"$program $prev\" in");
	for (const struct program *p = programs; p->name; p++) {
		bash_values(p);
		if (strcmp(p->words, "FILE"))
			printf("\t'%s %s') values='%s';;\n", p->name, p->name, p->words);
	}
	printf("\tesac\n%scomplete -o default -F _lapwing lapwing lapwing-run stap staprun",
	       bash_end);
	for (const struct program *p = programs; p->name; p++)
		if (is_subcommand(p))
			printf(" lapwing-%s", p->name);
	putchar('\n');
}

/* Prints the description of an option for _arguments, which is within '...'. */
static void put_zsh(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void zsh_option(const struct entry *e, const char *option, const char *ending)
{
	fputs(" \\\n\t\t'*", stdout);
	printf("%s%s[", option, e->arg ? ending : "");
	put_zsh(e->text);
	putchar(']');
	if (e->arg) {
		printf("%s:", may_lack(e) ? ":" : "");
		put_zsh(is_choice(e) ? "value" : e->arg);
		putchar(':');
		if (is_choice(e)) {
			putchar('(');
			put_choice(e);
			putchar(')');
		} else if (is_file(e)) {
			fputs("_files", stdout);
		}
	}
	putchar('\'');
}

static void zsh_program(const struct program *p)
{
	char option[64];

	printf("_lapwing_%s() {\n\t_arguments -s", *p->name ? p->name : "script");
	for (const struct entry *e = p->entries; e->kind; e++) {
		if (!works(e))
			continue;
		snprintf(option, sizeof(option), "-%c", e->letter);
		if (e->letter && !may_lack(e))
			zsh_option(e, option, "+");
		snprintf(option, sizeof(option), "--%s", e->name ? e->name : "");
		if (e->name)
			zsh_option(e, option, may_lack(e) ? "=-" : "=");
	}
	if (strcmp(p->words, "FILE"))
		printf(" \\\n\t\t'1:word:(%s)'", p->words);
	puts(" \\\n\t\t'*:file:_files'\n}");
}

static void print_zsh(void)
{
	fputs("#compdef lapwing stap staprun", stdout);
	for (const struct program *p = programs; p->name; p++)
		if (*p->name && strcmp(p->name, "staprun"))
			printf(" lapwing-%s", p->name);
	puts("\n# zsh completion of lapwing and its programs, made of the tables of options");
	for (const struct program *p = programs; p->name; p++)
		zsh_program(p);
	fputs("_lapwing() {\n\tlocal program=${service#lapwing}\n"
	      "\t[[ $program != stap ]] || program=-script\n"
	      "\tif [[ -z $program ]] && (( CURRENT == 2 )); then\n\t\tcompadd ", stdout);
	put_subcommands(" ");
	fputs("\n\telif [[ -z $program && $words[2] == (", stdout);
	put_subcommands("|");
	puts(") ]]; then\n\t\tprogram=-$words[2]\n\t\tshift words\n\t\t(( CURRENT-- ))\n\tfi\n"
	     "\t_lapwing_${${program#-}:-script}\n}\n_lapwing \"$@\"");
}

/* ---- main --------------------------------------------------------------------------*/

static const struct program *find(const char *name)
{
	const struct program *p = programs;

	while (p->name && strcmp(p->name, name))
		p++;
	return p->name ? p : NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const struct program *p = argc > 2 ? find(argv[2]) : find("");

	if (!strcmp(what, "man") && p)
		print_man(p);
	else if (!strcmp(what, "letters"))
		print_letters();
	else if (!strcmp(what, "bash"))
		print_bash();
	else if (!strcmp(what, "zsh"))
		print_zsh();
	else
		return fputs("Usage: doc/options man PROGRAM | letters | bash | zsh\n", stderr), 2;
	return fflush(stdout) || ferror(stdout);
}
