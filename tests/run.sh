#!/bin/sh
# Runs every test of a build and ends with the line "N passed, N failed".
# usage: tests/run.sh BUILD_DIRECTORY BOUNDWALK [layers]
#   Shell tests are tests/cli/*.sh, each of which prints "ok NAME" or "not ok NAME" lines; unit tests are the
#   cmocka programs in BUILD_DIRECTORY/tests. As many run at once as there are processors.
set -u
build=$1
export BOUNDWALK="$2"
passed=0
failed=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# Adds up what the log of one test program or script says: count NAME STATUS LOG GOOD BAD, with patterns.
count() {
	good=$(grep -c "$4" "$3")
	bad=$(grep -c "$5" "$3")
	# A program that died in the middle, or failed outside a test, still counts as a failure.
	[ "$2" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ "$bad" -ne 0 ] && { echo "--- $1"; tail -n 40 "$3"; }
	passed=$((passed + good))
	failed=$((failed + bad))
}

programs=$(for test in "$build"/tests/test_*; do
	case $test in *.d | *.o) continue ;; esac
	[ -x "$test" ] && echo "$test"
done)
printf '%s\n' tests/cli/*.sh $programs | xargs -P "$(nproc)" -I '{}' sh -c \
	'log=$1/$(basename "$2"); case $2 in *.sh) sh "$2" ;; *) "$2" ;; esac >"$log" 2>&1; echo $? >"$log.status"' \
	- "$logs" '{}'
for test in $programs; do
	log=$logs/$(basename "$test")
	count "$test" "$(cat "$log.status")" "$log" '^\[       OK \]' '^\[  FAILED  \] [A-Za-z_0-9]*$'
done
for test in tests/cli/*.sh; do
	log=$logs/$(basename "$test")
	count "$test" "$(cat "$log.status")" "$log" '^ok ' '^not ok '
done
if [ "${3:-}" = layers ]; then
	if sh tests/layers.sh "$build" "${CC:-cc}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
