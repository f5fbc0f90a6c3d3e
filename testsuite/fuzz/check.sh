#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the fuzz entries of the front end, with sanitizers, on what libFuzzer once found (corpus/), on all scripts of the tests, on
# every kind of expression with all that can stand before and behind it, and on a bounded number of made-up inputs. Output: the
# sanitizer's, and exit 1, when one fails.
cd "$(dirname "$0")/../.." || exit 2
export FUZZ_KERNEL=testsuite/family/kernel
failed=0
for entry in parse translate; do
	find -L testsuite/fuzz/corpus testsuite/parse testsuite/check testsuite/run-user testsuite/emit tapsets -type f \
		\( -path '*/corpus/*' -o -name '*.stp' \) -print0 | xargs -0 "testsuite/fuzz/$entry" 2000 || failed=1
done

# Each expression in each place: 8 scripts, as their length chooses the runtime and the options. The kernel's types are those of types.c.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts"
${CC:-gcc} -gbtf -O1 -c testsuite/debuginfo/types.c -o "$work/types.o" || exit 2
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/types.o" "$work/types.btf" || exit 2
printf 'function simple\nbtf types.btf\n' > "$work/kernel"
awk -v work="$work/scripts" 'BEGIN {
	kinds = split("x|5|\"s\"|$t|$seventh|$$vars|$$parms$|@var(\"v\")|@cast(x, \"thing\")|@cast(x, \"thing\")->number|&$t|a[1]|" \
		"s|$t->y|f()|pid()|execname()|@count(s)|@hist_log(s)|(x)|(x + 1)|(x ? x : x)|(x = 5)|-x|x++|@entry(x)|@defined(x)|@perf(\"e\")|" \
		"$pmu[0]|$timestamp|(&$t)|($t->table)|(@cast(x, \"thing\")$)", kind, "|")
	forms = split("@|@->next|@->next->id|@[1]|@->next[x]|@[x]->next|@->next$|@->next$$|&@|&@->next|&@[1]|@[@->next]|@->next = 1|" \
		"@ = 1|@->next++|++@->next|@entry(@->next)|@defined(@->next)|@choose_defined(@->next, 1)|user_string(@->next)|" \
		"@cast(@->next, \"thing\")->low|sizeof(@->next)|delete @->next", form, "|")
	for (k = 1; k <= kinds; k++)
		for (f = 1; f <= forms; f++) {
			text = form[f]
			from = 1
			while ((at = index(substr(text, from), "@")) && kind[k] != "") {
				at += from - 1
				if (substr(text, at + 1) ~ /^(entry|defined|choose_defined|cast)/) {
					from = at + 1
					continue
				}
				text = substr(text, 1, at - 1) kind[k] substr(text, at + 1)
				from = at + length(kind[k])
			}
			for (n = 0; n < 8; n++) {
				file = sprintf("%s/%d.%d.%d", work, k, f, n)
				printf "global a, s function f() { return 1 } probe kernel.function(\"simple\")%s { x = 1; a[1] = 2; s <<< 1; " \
					"%s }%*s\n", f % 2 ? ".return" : "", text ~ /^delete/ ? text : "println(" text ")", n, "" > file
				close(file)
			}
		}
}'
[ "$(ls "$work/scripts" | wc -l)" = 6072 ] || { echo "not all expressions: $(ls "$work/scripts" | wc -l)"; failed=1; }
find "$work/scripts" -type f -print0 | FUZZ_KERNEL=$work/kernel xargs -0 testsuite/fuzz/translate 0 || failed=1
exit $failed
