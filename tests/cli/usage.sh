#!/bin/sh
# Commands, exit codes, and what is said about wrong ones.
. tests/cli.sh

commands="report inventory map findings paths coverage artifacts show check mark decide sign verify log
	explain parse play completion"

every_command_has_help() {
	for command in $commands; do
		exits 0 "$command" --help
		prints "usage: boundwalk $command"
	done
	exits 0 --help
	for command in $commands; do prints "  $command "; done
}

version_is_one_line() {
	exits 0 --version
	grep -qE '^boundwalk [0-9]+\.[0-9]+\.[0-9]+$' "$scratch/out"
}

keys_are_listed_without_a_terminal() {
	exits 0 --list-keys
	prints 'mark the cell declared'
}

reading_commands_exit_0() {
	for command in report inventory map findings paths coverage artifacts log; do
		exits 0 "$command" "$demo"
	done
	exits 0 show R-01 "$demo"
	exits 0 explain identity
	exits 0 explain docker-socket
	exits 0 parse yaml "$demo/compose.yaml"
	exits 2 parse compose "$demo/compose.yaml"
	says 'compose.yaml:18:'
	echo MODEL_API_KEY=x >"$scratch/variables"
	exits 0 parse compose --env-file "$scratch/variables" "$demo/compose.yaml"
	exits 0 parse dockerfile "$demo/agent/Dockerfile"
	exits 0 parse json "$demo/.mcp.json"
	nothing_kept
}

listings_have_three_formats() {
	for command in inventory map findings artifacts; do
		exits 0 "$command" -f tsv "$demo"
		# Every line has as many columns as the head.
		awk -F '\t' 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 2 }' "$scratch/out"
		exits 0 "$command" -f json "$demo"
		head -c 1 "$scratch/out" | grep -q '[[{]'
	done
}

filter_and_sort_apply() {
	exits 0 map -f tsv --filter 'field=mounts' "$demo"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "field") c = i }
		NR > 1 && $c != "mounts" { exit 1 } END { exit NR < 2 }' "$scratch/out"
	exits 0 findings --sort -line "$demo"
	refuses 'nonsense' findings --sort nonsense "$demo"
	refuses 'nonsense' findings --filter 'nonsense=x' "$demo"
}

check_answers_by_exit_code() {
	mkdir "$scratch/empty"
	exits 1 check "$demo"
	prints 'open findings of high or above'
	exits 0 check "$scratch/empty"
	exits 3 check --require-signed "$scratch/empty"
	prints 'not signed'
}

wrong_options_are_named() {
	refuses '--nonsense: unknown option; try --help' --nonsense
	refuses '-z: unknown option; try --help' report -z "$demo"
	refuses '--runtime needs NAME' report "$demo" --runtime
	refuses '--runtime: "vmware" is none of docker|podman' report --runtime vmware "$demo"
	refuses '--os: "plan9" is none of linux|windows|darwin' report --os plan9 "$demo"
	refuses '--fail-on: "severe" is none of critical|high|medium|info' check --fail-on severe "$demo"
	refuses '--quiet takes no value' report --quiet=yes "$demo"
	refuses '--format is no option of check; try check --help' check --format json "$demo"
	refuses '--format: "yaml"' report -f yaml "$demo"
	refuses 'yaml' findings -f yaml "$demo"
}

wrong_arguments_are_named() {
	refuses 'report takes [PATH]' report "$demo" "$demo"
	refuses 'show takes KEY [PATH]' show
	refuses 'mark takes KEY declared|observed|unavailable [PATH]' mark R-01
	refuses 'verify takes REPORT [PATH]' verify
	refuses '"tcsh" is none of bash|zsh|fish' completion tcsh
	refuses 'no rule and no field' explain nonsense
	refuses 'none of' parse nonsense "$demo/compose.yaml"
	refuses 'R-99' show R-99 "$demo"
	refuses 'F-9999' show F-9999 "$demo"
}

missing_files_are_named() {
	refuses "$scratch/absent" report "$scratch/absent"
	refuses "$scratch/absent" verify "$scratch/absent" "$demo"
	refuses "$scratch/absent" parse yaml "$scratch/absent"
	refuses "$scratch/absent" play "$scratch/absent" "$demo"
	refuses 'nonsense' report --revision nonsense .
}

without_a_terminal_the_report_is_named() {
	refuses 'boundwalk report' "$demo"
	refuses 'boundwalk report'
}

a_script_of_keys_makes_a_screen() {
	printf '3\nsnapshot -\n' >"$scratch/script"
	refuses '--size' play "$scratch/script" --size big "$demo"
	exits 0 play "$scratch/script" --size 100x30 "$demo"
	prints 'Findings'
}

completions_parse() {
	for shell in bash zsh fish; do
		exits 0 completion "$shell"
		for command in $commands; do prints "$command"; done
		prints 'compose-file'
		command -v "$shell" >/dev/null || continue
		"$shell" -n "$scratch/out"
	done
}

bash_completes() {
	command -v bash >/dev/null || return 0
	exits 0 completion bash
	[ "$(bash -c '. "$1"; COMP_WORDS=(boundwalk rep); COMP_CWORD=1; _boundwalk
		echo "${COMPREPLY[@]}"' - "$scratch/out")" = report ]
}

a_full_disk_is_an_error() {
	[ -w /dev/full ] || return 0
	got=0
	"$BOUNDWALK" report "$demo" >/dev/full 2>"$scratch/err" || got=$?
	[ $got -eq 2 ]
	says 'standard output'
}

# Words after "boundwalk" in code, targets after "make", options in a line that begins with boundwalk.
readme_names_what_exists() {
	known=$(echo "$commands" | tr '\n\t' '  ')
	words=$(sed -n '/^```sh/,/^```/p' README.md | grep -oE '^boundwalk [a-z]+' | sed 's/.* //')
	words="$words $(grep -oE '`boundwalk [a-z]+' README.md | sed 's/.* //' | sort -u)"
	for word in $words; do
		case " $known path " in *" $word "*) continue ;; esac
		echo "no command $word"
		return 1
	done
	for word in $(grep -oE '(^|`)make [a-z-]+' README.md | sed 's/.* //' | sort -u); do
		grep -qE "^$word:" Makefile && continue
		echo "no target $word"
		return 1
	done
	# The quoted report cites options of other programs.
	for word in $(sed '/begin generated report/,/end generated/d' README.md man/*.[15] |
		grep -oE '`[^`]*--[a-z][a-z-]+' | grep -oE -e '--[a-z-]+' | sort -u); do
		grep -qF ".name = \"${word#--}\"" src/options.c && continue
		echo "no option $word"
		return 1
	done
}

empty_and_endless_arguments_are_named() {
	refuses '--review needs FILE' log --review "" $demo
	refuses '--review needs FILE' log --review= $demo
	refuses 'an argument is empty' report ""
	refuses 'an argument is empty' ""
	exits 2 show "$(head -c 60000 /dev/zero | tr '\0' a)" $demo
	[ "$(wc -c <"$scratch/err")" -lt 4000 ]
	exits 0 inventory --filter "" $demo
}

for test in empty_and_endless_arguments_are_named every_command_has_help version_is_one_line keys_are_listed_without_a_terminal \
	reading_commands_exit_0 listings_have_three_formats filter_and_sort_apply check_answers_by_exit_code \
	wrong_options_are_named wrong_arguments_are_named missing_files_are_named \
	without_a_terminal_the_report_is_named a_script_of_keys_makes_a_screen completions_parse \
	bash_completes a_full_disk_is_an_error readme_names_what_exists; do
	check $test
done
[ $failures -eq 0 ]
