#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-stap.sh - command lines that SystemTap users type and put into scripts.
. "$(dirname "$0")/../common.sh"
. testsuite/cli/says.sh

# bin_without_qemu: prints a folder with the programs of /usr/bin except QEMU
bin_without_qemu() {
	[ -d "$work/no-qemu" ] || { cp -as /usr/bin "$work/no-qemu" &&
		rm -f "$work"/no-qemu/qemu-*; }
	echo "$work/no-qemu"
}

# Options may stand anywhere before `--`; after it, words that look like options are arguments of
# the script.
echo 'probe begin { println(@1, "|", @2); exit() }' > "$work/two.stp"
says options-behind 0 "a|b" $lw "$work/two.stp" a --runtime=user b
says options-end 0 "-c|--x" $lw "$work/two.stp" --runtime=user -- -c --x
says options-look-alike 1 "come after '--'; lapwing --help" $lw "$work/two.stp" a -7
says command-behind 0 "1 2" $lw -e 'probe end { println(1, " ", @1) }' 2 -c true --runtime=user
$lw --runtime=user -p4 -m given \
	-e 'global n = 1 probe begin { println(n); exit() }' > "$work/log" && mv given.so "$work"
says run-behind 0 -7 ./lapwing-run "$work/given.so" n=-7 -w -o /dev/stdout

# -D with a name that is no limit defines a macro for embedded C, and the last definition counts; a
# name similar to a limit gets "did you mean".
embedded='function f:long() %{ /* userspace */ STAP_RETVALUE = TWICE(ANSWER); %}
	probe begin { println(f()); exit() }'
says define-macro 0 84 $lw --runtime=user -g -D ANSWER=5 -D 'ANSWER=6 * 7' -D 'TWICE(x)=((x) * 2)' \
	-e "$embedded"
[ ! -s "$work/err" ] || fail "define-macro: $(cat "$work/err")"
says define-near 0 "did you mean 'MAXMAPENTRIES'?" $lw -p1 -DMAXMAPENTIRES=10 -e "$hello"
says define-near-fatal 1 "did you mean" $lw -W -p1 -DMAXMAPENTIRES=10 -e "$hello"
says define-no-name 1 "expected NAME or NAME=VALUE" $lw -D 1x -e "$hello"
says define-no-number 1 "the value must be a number" $lw -D MAXACTION= -e "$hello"


# The rc file is read first; $SYSTEMTAP_DIR is its location; its lines are words in shell syntax.
mkdir -p "$work/home/.systemtap" "$work/dir"
printf '# mine\n--runtime=user -G "text=from home"\n\n-G n=7\n' > "$work/home/.systemtap/rc"
echo '--runtime=user -G "text=$RC_WORD"' > "$work/dir/rc"
global='global text, n = 0 probe begin { println(text . "", n); exit() }'
home() { env -u SYSTEMTAP_DIR HOME="$work/home" XDG_CACHE_HOME="$work/home" "$@"; }
says rc 0 'from home7' home $lw -e "$global"
says rc-then-options 0 'from home8' home $lw -e "$global" -G n=8
says rc-elsewhere 0 'from dir0' home env SYSTEMTAP_DIR="$work/dir" RC_WORD='from dir' $lw \
	-e "$global"
echo '-p1 `id`' > "$work/dir/rc"
says rc-command 1 "$work/dir/rc:1: '-p1 \`id\`': commands are not run" env \
	SYSTEMTAP_DIR="$work/dir" $lw -e "$hello"
echo '--runtme=user' > "$work/dir/rc"
says rc-unknown 1 "the options of $work/dir/rc were read first" env SYSTEMTAP_DIR="$work/dir" $lw \
	-e "$hello"
echo 'word' > "$work/dir/rc"
says rc-word 1 "$work/dir/rc: 'word' is no option" env SYSTEMTAP_DIR="$work/dir" $lw -e "$hello"

# The environment: a library directory, a kernel, and an ignored runtime.
mkdir -p "$work/set/PATH$work/bin" "$work/bin" "$work/elsewhere"
echo 'function of_set:string() { return "of the set" }' > "$work/set/a.stp"
says tapset-environment 0 'of the set' env SYSTEMTAP_TAPSET="$work/set" $lw --runtime=user \
	-e 'probe begin { println(of_set()); exit() }'
says release-environment 1 "linux-headers-9.9.9" env SYSTEMTAP_RELEASE=9.9.9 $lw -p4 -e "$hello"
says runtime-environment 0 "SYSTEMTAP_RUNTIME ignored: the runtime belongs" env \
	SYSTEMTAP_RUNTIME=/x $lw -p1 -e "$hello"

# A relative name in the library's PATH/FOLDER means a program there, and not one with the same name
# elsewhere.
printf 'int main(void) { return 0; }\n' > "$work/main.c"
cc -o "$work/bin/thing" "$work/main.c" && cp "$work/bin/thing" "$work/elsewhere/" ||
	fail "tapset-path: no compiler"
echo 'probe thing.main = process("thing").function("main") {}' > "$work/set/PATH$work/bin/thing.stp"
says tapset-path 0 "process(\"$work/bin/thing\").function(\"main\")" env \
	PATH="$work/elsewhere:$PATH" $lw -p2 -I "$work/set" \
	-e 'probe thing.main { exit() }'

# An empty list gives the reason on standard error; if one point matches, the others give no
# message.
says list-nothing 1 "probe point mismatch (expected:" $lw -l foo.bar
[ ! -s "$work/out" ] || fail "list-nothing: $(cat "$work/out")"
says list-variables-nothing 1 "no function 'nothing'" $lw \
	-L "process(\"$work/bin/thing\").function(\"nothing\")"
says list-parse 1 "Pass 1: parse failed." $lw -l 'begin('
says list-some 0 "timer.s(1)" $lw -l 'timer.s(1), foo.bar'
[ ! -s "$work/err" ] || fail "list-some: $(cat "$work/err")"

# A program name without a slash that is not on $PATH means a program in the current folder; not for
# commands (-c), and not for patterns.
in_bin() { (cd "$work/bin" && "$OLDPWD/lapwing" "$@"); }
says program-here 0 "process(\"$work/bin/thing\").function(\"main\")" in_bin \
	-l 'process("thing").function("main")'
says program-pattern 1 "in \$PATH or in the current folder" in_bin \
	-l 'process("thin*").function("main")'
says program-nowhere 1 "no program 'thang' in \$PATH or in the current folder" in_bin \
	-l 'process("thang").function("main")'
says command-here 1 "the program of -c or -x is not found" in_bin -c thing \
	-p2 -e 'probe process.function("main") { exit() }'

# -x with a process that has exited fails before anything is built or loaded.
sh -c 'exit' & nobody=$!
wait $nobody
says process-none 1 "-x $nobody: there is no such process" $lw --runtime=user -x $nobody \
	-v -e "$hello"
! grep -q 'Pass 1' "$work/err" || fail "process-none: reported only after pass 1"
says process-none-later 0 '# probes' $lw -p2 -x $nobody -e "$hello"
says process-none-run 1 "-x $nobody: there is no such process" ./lapwing-run -x $nobody \
	"$work/given.so"

# Other runtimes are refused with a reason; --colour is accepted for --color.
says runtime-bpf 1 '--runtime=bpf refused: handlers do' $lw --runtime=bpf -e "$hello"
says runtime-dyninst 1 '--runtime=dyninst refused: programs are' $lw --runtime dyninst -e "$hello"
says colour 1 "$(printf '\033')[" $lw --colour -p1 -e 'probe'

# -r and $SYSTEMTAP_RELEASE may name a kernel's build tree, from which the release and the functions
# are read; the tree is not modified.
tree=$work/tree
mkdir -p "$tree/include/generated"
says tree-none 1 "-r $tree: not the build tree of a kernel" $lw -r "$tree" -p4 -e "$hello"
echo '#define UTS_RELEASE "9.9.9-tree"' > "$tree/include/generated/utsrelease.h"
echo CONFIG_OF_TREE=y > "$tree/.config"
printf 'ffffffff81000000 T _text\nffffffff81000100 T tree_one\nffffffff81000200 t tree_two\n' > \
	"$tree/System.map"
of_tree='probe begin {
	print(%( kernel_vr == "9.9.9-tree" && CONFIG_OF_TREE == "y" %? "of the tree" %: "no" %)) }'
says tree 0 '"of the tree"' $lw -r "$tree" -p1 -e "$of_tree"
says tree-environment 0 '"of the tree"' env SYSTEMTAP_RELEASE="$tree" $lw -p1 -e "$of_tree"
says tree-functions 0 'kernel.function("tree_two")' $lw -r "$tree" -l 'kernel.function("tree_*")'
# Its modules are those of modules.order; the list of built-in ones explains others.
mkdir -p "$tree/drivers/x" && printf 'drivers/x/tree-mod.o\n' > "$tree/modules.order" &&
	echo kernel/fs/inside.ko > "$tree/modules.builtin"
echo 'int mod_three(int n) { return n; }' | gcc -x c -c -o "$tree/drivers/x/tree-mod.ko" - ||
	fail "tree: a module"
says tree-module 0 'module("tree_mod").function("mod_three")' $lw -r "$tree" \
	-l 'module("tree-mod").function("mod_*")'
says tree-built-in 1 "module 'inside' is built into this kernel: probe its functions as kernel.f" \
	$lw -r "$tree" -p2 -e 'probe module("inside").function("x") { }'
says tree-no-module 1 "module 'none' is not loaded and its file is not found" \
	$lw -r "$tree" -p2 -e 'probe module("none").function("x") { }'
says tree-makefile 1 "no headers for kernel 9.9.9-tree" $lw -r "$tree" -p4 -e "$hello"
[ "$(cd "$tree" && find . -type f | wc -l)" -eq 6 ] || fail "tree: $(ls -R "$tree")"
built=$(runtime/vm/lapwing-vm path 6.1 headers)
says tree-build 0 .ko $lw -r "$built" -a x86_64 -p4 -e "$hello"

# Under SystemTap's names: the letters of staprun, no subcommands, exit status 0 or 1.
mkdir "$work/names"
ln -s "$PWD/lapwing" "$work/names/stap"
ln -s "$PWD/lapwing-run" "$work/names/staprun"
staprun=$work/names/staprun
says staprun 0 7 "$staprun" -R -u -w -T 200 -C auto -b 4 "$work/given.so" n=7
"$staprun" -o "$work/of-%%" -S 1,2 "$work/given.so" n=-8 || fail "staprun -o: status $?"
[ "$(cat "$work"/of-%.0)" = -8 ] || fail "staprun -o: $(ls "$work")"
$lw --runtime=user -p4 -m waits -e 'probe end { println("ended") }' > "$work/log" &&
	mv waits.so "$work"
says staprun-command 1 "Child process exited with status 3" "$staprun" -c 'exit 3' "$work/waits.so"
says staprun-process 0 1 "$staprun" -x $$ "$work/given.so"
says staprun-verbose 0 COMPLETE env SYSTEMTAP_VERBOSE=1 "$staprun" "$work/given.so"
says staprun-detach 1 "staprun: -L refused: the module is removed" "$staprun" -L "$work/given.so"
says staprun-detach-instead 1 "-D -o FILE leaves the reader in the background" \
	"$staprun" -L "$work/given.so"
says staprun-attach 1 "staprun: -A refused: a module has one reader, from its load to its removal" \
	"$staprun" -A given
says staprun-attach-instead 1 "tail -f FILE shows its output" "$staprun" -A given
says staprun-color 1 "-C 'red': expected never, auto or always" "$staprun" -C red "$work/given.so"
says staprun-ours 1 "unknown option '--only-target'" "$staprun" --only-target "$work/given.so"
says staprun-remove 1 "no Lapwing module is named none" "$staprun" -d none.ko
says staprun-version 0 "staprun 0." "$staprun" -V
says staprun-remove-none 1 "no module" "$staprun" -d
says stap 0 hello "$work/names/stap" --runtime=user -e "$hello"
says stap-script 1 "cannot read 'report'" "$work/names/stap" report
says stap-error 1 "ERROR: x" "$work/names/stap" --runtime=user -e 'probe begin { error("x") }'
says stap-guest 1 "apt-get install qemu-system-x86" env PATH="$work/names:$(bin_without_qemu)" \
	"$work/names/stap" --target=vm -e "$hello"

# --example finds an example by its name in any folder; its arguments follow.
cp examples/pc-histogram.stp "$work/by-path.stp"
$lw -p1 "$work/by-path.stp" | sed 1,2d > "$work/wanted"
for name in pc-histogram pc-histogram.stp profiling/pc-histogram.stp; do
	$lw --example -p1 "$name" 2> "$work/err" | sed 1,2d | diff "$work/wanted" - > "$work/out" ||
		fail "example $name: $(cat "$work/out" "$work/err")"
done
[ -s "$work/wanted" ] || fail "example: nothing is compared"
says example-none 1 "no example is named 'nothing'" $lw --example nothing
says example-text 1 "--example needs the name of an example" $lw --example -e "$hello"

# With --skip-badvars, variables that do not exist are 0, with a warning each; @defined gives none.
bad='probe begin {
	x = $none->of + 2
	printf("%d %s|%d %d\n", x, $$vars, $other = 5, @defined($none))
	exit()
}'
says badvars 0 '2 |5 0' $lw --skip-badvars -g --runtime=user -e "$bad"
[ "$(grep -cF '[W0117]' "$work/err")" -eq 3 ] || fail "badvars: $(cat "$work/err")"
says badvars-not 1 'semantic error: unresolved target-symbol expression' $lw -g --runtime=user \
	-e "$bad"
says badvars-fatal 1 '[W0117]' $lw -W --skip-badvars -g --runtime=user -e "$bad"
says badvars-point 1 'probe point mismatch' $lw \
	--skip-badvars -p2 -e 'probe nowhere { println($none) }'

# --semantic-keep-going reports errors of all probes, and type errors after unresolved variables.
wrong='probe nowhere.at { println(1) } probe begin { println($none) println(1 . "x") }
	probe end { println($gone->x) println(nothing + "y") }'
says keep-going 1 'analysis failed' $lw --semantic-keep-going -p2 -e "$wrong"
for said in "identifier 'nowhere'" "identifier '\$none'" "number '1'" "identifier '\$gone'" \
	"string 'y'"; do
	grep -qF "$said" "$work/err" || fail "keep-going: no error at $said: $(cat "$work/err")"
done
says keep-going-not 1 'analysis failed' $lw -p2 -e "$wrong"
! grep -q 'identifier .\$' "$work/err" || fail "keep-going-not: $(cat "$work/err")"
says keep-going-right 0 hello $lw --semantic-keep-going --runtime=user -e "$hello"
says keep-going-dump 1 'analysis failed' $lw --semantic-keep-going --dump=match -e "$wrong"

# --debug keeps the folder with the C file and is verbose.
says debug 0 'Keeping temporary directory' $lw --debug --runtime=user --tmpdir="$work" -e "$hello"
grep -q '^Pass 1' "$work/err" && grep -q 'probes armed' "$work/err" ||
	fail "debug: $(cat "$work/err")"

# A script with a #! line: the kernel passes its options as one word.
script() {
	printf '#!%s/lapwing %s\nprobe begin { println("script ", @1) exit() }\n' "$PWD" \
		"$1" > "$work/script"
	chmod +x "$work/script"
}
script '--runtime=user'
says script 0 'script a' "$work/script" a
script ' -w --runtime=user  -G "a b=1"'
says script-words 1 "-G 'a b=1': expected" "$work/script" a
script '--runtime=user -D "MAXACTION=5000"'
says script-many 0 'script b' "$work/script" b
says script-none 1 "expected kernel or user" $lw '--runtime=user -w' "$work/two.stp"

[ $failed -eq 0 ] && echo "stap: passed"
[ $failed -eq 0 ]
