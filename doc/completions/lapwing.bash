# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for bash, printed by doc/options.sh.
_lapwing()
{
	local word=${COMP_WORDS[COMP_CWORD]} name=${COMP_WORDS[0]##*/} first=${COMP_WORDS[1]} at=$COMP_CWORD options

	case $name in
	lapwing-run) first=$name at=0 ;;
	lapwing-*) first=${name#lapwing-} at=0 ;;
	esac
	case $first in
	annotate) options="-f --function -l --limit -b --blocks --dot --json --csv -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	callgraph) options="-l --limit --min --flat --json --csv -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	ctl) options="on off flush status --json --csv -h --help -V --version" ;;
	diff) options="-b --by -l --limit --all --json --csv -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	doctor) options="--root --kernels --json --csv -h --help -V --version" ;;
	events) options="--root --check -g --guru --encode --json --csv -h --help -V --version" ;;
	explain) options="--json --csv -h --help -V --version" ;;
	export) options="-o --output -f --format --program -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	flame) options="-o --output -i --inverted --diff -t --title -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	profile) options="-F -e --csv --json -p -a -o --json-summary --expand -l -L -D -G -g -I -E --example -u -W --compatible --privilege --unprivileged --skip-badvars --suppress-handler-errors --suppress-time-limits --no-global-var-display -c -x -T -s -t --only-target --runtime --target --strict -S -b --capture --command-status --no-partial --on-overflow --force --user-unwind --returns --vm-file -v -w --color --vp --dump --dump-probe-types --dump-probe-aliases --dump-functions --semantic-keep-going --json-diagnostics -r -m -k --download-debuginfo --sysroot --disable-cache --poison-cache --clean-cache --tmpdir --rlimit-as --rlimit-cpu --rlimit-nproc --rlimit-stack --rlimit-fsize -h --help -V --version" ;;
	record) options="-o --output -p --pid -a --all -F --frequency -c --count -e --event -g --stacks --call-graph --off-cpu -d --duration -m --mmap-mb --script --arcs --arcs-from --guru -q --quiet -h --help -V --version" ;;
	report) options="-b --by --apart --delayed -t --threads -l --limit --min -w --where -s --sum --delta --timeline --pair --on --time --percentiles --hist --json --csv -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	stopwatch) options="--raw --hist --csv --json -p -a -o --json-summary --expand -e -l -L -D -G -g -I -E --example -u -W --compatible --privilege --unprivileged --skip-badvars --suppress-handler-errors --suppress-time-limits --no-global-var-display -c -x -T -s -t --only-target --runtime --target --strict -S -b --capture -F --command-status --no-partial --on-overflow --force --user-unwind --returns --vm-file -v -w --color --vp --dump --dump-probe-types --dump-probe-aliases --dump-functions --semantic-keep-going --json-diagnostics -r -m -k --download-debuginfo --sysroot --disable-cache --poison-cache --clean-cache --tmpdir --rlimit-as --rlimit-cpu --rlimit-nproc --rlimit-stack --rlimit-fsize -h --help -V --version" ;;
	timeline) options="-b --by -f --function -l --limit -s --step -o --output --json --csv -e --event -n --name --phase --mode --db --unit --image --stack --since --until -h --help -V --version" ;;
	top) options="-p --pid -a --all -F --frequency -e --event -h --help -V --version" ;;
	watch) options="--db --max-size --epoch --budget -o --output -F --frequency -e --event -g --stacks -d --duration -q --quiet --status --json --csv -h --help -V --version" ;;
	lapwing-run) options="-c -x -o -S -b --capture -F -T -s --only-target -t --command-status --strict --no-partial --json-summary -v -w --module-parameters --list --json --csv --remove --terminal --pass5 -h --help -V --version" ;;
	*) options="-e -l -L -D -G -g -I -E --example -u -W --compatible --privilege --unprivileged --skip-badvars --suppress-handler-errors --suppress-time-limits --no-global-var-display -c -x -T -o -s -t --only-target --runtime --target --strict --json-summary -S -b --capture -F --command-status --no-partial --on-overflow --force --user-unwind --returns --vm-file -v -w --color --vp --dump --dump-probe-types --dump-probe-aliases --dump-functions --json --csv --semantic-keep-going --json-diagnostics -p -r -m -a -k --download-debuginfo --sysroot --disable-cache --poison-cache --clean-cache --tmpdir --rlimit-as --rlimit-cpu --rlimit-nproc --rlimit-stack --rlimit-fsize -h --help -V --version" ;;
	esac
	[ "$at" != 1 ] || [[ $word == -* ]] || options="annotate callgraph ctl diff doctor events explain export flame profile record report stopwatch timeline top watch help version"
	if [[ $word == -* || $first == ctl || $at == 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	fi
}
complete -o bashdefault -o default -F _lapwing lapwing lapwing-ctl lapwing-doctor lapwing-record lapwing-report lapwing-run lapwing-top
