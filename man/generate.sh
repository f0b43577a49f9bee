#!/bin/sh
# Makes the generated regions anew, or says which files differ from what would be made.
# usage: man/generate.sh [--check] BUILD_DIRECTORY FILE…
#   The screen and the report of the README are made from a copy of the bundled example outside of any
#   repository, so that they do not change with every commit.
set -eu
check=
[ "$1" = --check ] && {
	check=1
	shift
}
build=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R fixtures/demo "$scratch/demo"
export XDG_STATE_HOME="$scratch/state" LC_ALL=C.UTF-8

# A screen as text: the frame and the attributes of the snapshot are taken off, and blanks at line ends.
{
	echo '```text'
	printf 'snapshot %s\n' "$scratch/screen" >"$scratch/script"
	./boundwalk play "$scratch/script" --size 100x27 "$scratch/demo"
	sed -n 's/^|\(.*\)|$/\1/p' "$scratch/screen" | sed 's/ *$//'
	echo '```'
} >"$scratch/screen.md"
# The first finding of the report.
{
	echo '````markdown'
	./boundwalk report "$scratch/demo" |
		awk '/^### / { on = /^### F-01[ ,]/ } on { if (held) print ""; held = !length; if (!held) print }'
	echo '````'
} >"$scratch/report.md"
grep -q 'Workloads' "$scratch/screen.md" && grep -q '^### F-01' "$scratch/report.md" || {
	echo "the example makes no screen or no report" >&2
	exit 2
}

differs=0
for file; do
	"$build/generate" "$file" "screen=$scratch/screen.md" "report=$scratch/report.md" >"$scratch/new"
	cmp -s "$file" "$scratch/new" && continue
	if [ -n "$check" ]; then
		echo "$file differs from what the program says; run \"make man\""
		diff "$file" "$scratch/new" | head -n 20 || true
		differs=1
	else
		cat "$scratch/new" >"$file"
		echo "made $file"
	fi
done
exit $differs
