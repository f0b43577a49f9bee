# What the tests of the command line share; they begin with ". tests/cli.sh" and run from the root.
# shellcheck shell=sh disable=SC2034
export BOUNDWALK="${BOUNDWALK:-$PWD/boundwalk}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_STATE_HOME="$scratch/state" HOME="$scratch/home" USER=tester LC_ALL=C.UTF-8 TERM=dumb
unset XDG_CONFIG_HOME NO_COLOR
demo=fixtures/demo
failures=0

# exits CODE ARGUMENT…: runs the program; what it writes is in $scratch/out and $scratch/err.
exits() {
	want=$1
	shift
	got=0
	timeout 60 "$BOUNDWALK" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$?
	[ "$got" -eq "$want" ] && return 0
	echo "boundwalk $*: exit $got, not $want"
	cat "$scratch/err"
	return 1
}
# prints TEXT, says TEXT: the last run wrote it to the standard output, to the standard error.
prints() {
	grep -qF -e "$1" "$scratch/out" && return 0
	echo "not printed: $1"
	head -n 20 "$scratch/out"
	return 1
}
says() {
	grep -qF -e "$1" "$scratch/err" && return 0
	echo "not said: $1"
	cat "$scratch/err"
	return 1
}
silent() {
	[ ! -s "$scratch/out" ] && return 0
	echo "printed although it failed:"
	head -n 5 "$scratch/out"
	return 1
}
# refuses MESSAGE ARGUMENT…: exit 2, the message on the standard error, nothing printed, nothing kept.
refuses() {
	message=$1
	shift
	exits 2 "$@" && says "$message" && silent && nothing_kept
}
nothing_kept() {
	[ ! -e "$XDG_STATE_HOME" ] && [ ! -e "$HOME" ] && return 0
	echo "written although it failed:"
	find "$XDG_STATE_HOME" "$HOME" 2>/dev/null
	return 1
}
# Every file below a folder with its content, to see that nothing was changed.
digest_of() {
	(cd "$1" && find . -type f -exec cksum {} + | sort -k 3 && find . | sort) | cksum
}
# Everything the program can print about a tree, one after the other, in $scratch/all.
print_everything() {
	: >"$scratch/all"
	for format in markdown json; do
		exits 0 report -f $format "$1"
		cat "$scratch/out" "$scratch/err" >>"$scratch/all"
	done
	for command in inventory map findings paths coverage artifacts; do
		for format in text tsv json; do
			exits 0 $command -f $format "$1"
			cat "$scratch/out" "$scratch/err" >>"$scratch/all"
		done
	done
	exits 0 inventory -f tsv "$1"
	rows=$(awk -F '\t' 'NR > 1 { print $1 }' "$scratch/out")
	exits 0 findings -f tsv "$1"
	findings=$(awk -F '\t' 'NR > 1 { print $1 }' "$scratch/out")
	# Screens show all of them; a dozen is enough for the command.
	for key in $(echo "$findings" | head -n 12); do
		exits 0 show "$key" "$1"
		cat "$scratch/out" >>"$scratch/all"
	done
	for row in $rows; do
		exits 0 show "$row" "$1"
		cat "$scratch/out" >>"$scratch/all"
		for field in credentials entry_chain; do
			exits 0 show "$row:$field" "$1"
			cat "$scratch/out" >>"$scratch/all"
		done
	done
	# Screens: every pane, every workload, every finding, matrix, preview of the report.
	{
		echo 'size 200x60'
		echo '1 g'
		for row in $rows; do printf '4\nsnapshot -\n5\nsnapshot -\n1 j\n'; done
		echo 'a 3 g'
		for key in $findings; do printf '4\nsnapshot -\n5\nsnapshot -\n3 j\n'; done
		printf 'm\nsnapshot -\nq\nx\nsnapshot -\nq\nC\nsnapshot -\nq\n'
		printf '2 d\nsnapshot -\nc\ntype seen\nEnter\nQ\n'
	} >"$scratch/script"
	exits 0 play "$scratch/script" "$1"
	cat "$scratch/out" "$scratch/err" >>"$scratch/all"
	# What was kept on disk.
	find "$XDG_STATE_HOME" -type f -exec cat {} + >>"$scratch/all" 2>/dev/null || :
	[ "$(wc -l <"$scratch/all")" -gt 100 ]
}
# check FUNCTION: one test; all its commands must hold.
check() {
	(
		set -e
		"$1"
	) >"$scratch/log" 2>&1
	# The status is not tested directly: "set -e" means nothing inside a condition.
	status=$?
	if [ $status -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		sed 's/^/  /' "$scratch/log"
		failures=$((failures + 1))
	fi
	rm -rf "${scratch:?}"/*
}
