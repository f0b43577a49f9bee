#!/bin/sh
# Runs every test of a build and ends with the line "N passed, N failed".
# usage: tests/run.sh BUILD_DIRECTORY BOUNDWALK [layers]
#   Unit tests are the cmocka programs in BUILD_DIRECTORY/tests; shell tests are tests/cli/*.sh, each of
#   which prints "ok NAME" or "not ok NAME" lines.
set -u
build=$1
export BOUNDWALK="$2"
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for test in "$build"/tests/test_*; do
	case $test in *.d | *.o) continue ;; esac
	[ -x "$test" ] || continue
	"$test" >"$log" 2>&1
	status=$?
	good=$(grep -c '^\[       OK \]' "$log")
	bad=$(grep -c '^\[  FAILED  \] [A-Za-z_0-9]*$' "$log")
	# A program that died in the middle, or failed outside a test, still counts as a failure.
	[ $status -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ $status -ne 0 ] && { echo "--- $test"; tail -n 40 "$log"; }
	passed=$((passed + good))
	failed=$((failed + bad))
done
for test in tests/cli/*.sh; do
	[ -f "$test" ] || continue
	sh "$test" >"$log" 2>&1
	status=$?
	good=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	[ $status -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ "$bad" -ne 0 ] && { echo "--- $test"; tail -n 40 "$log"; }
	passed=$((passed + good))
	failed=$((failed + bad))
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
