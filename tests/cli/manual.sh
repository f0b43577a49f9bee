#!/bin/sh
# The manual can be made from the tables, names every command, and the formatter accepts it.
# SPDX-License-Identifier: MIT
: "${BOUNDWALK:=./boundwalk}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp man/*.5 "$work"
sh man/generate.sh "$BOUNDWALK" "$work"
for page in boundwalk.1 boundwalk-rules.7 boundwalk-review.5; do
	if [ ! -s "$work/$page" ] || grep -q @SECTIONS@ "$work/$page"; then
		echo "not ok $page is made"
	elif command -v mandoc >/dev/null && ! mandoc -T lint -W warning "$work/$page" >"$work/lint" 2>&1; then
		echo "not ok $page is well formed"
		cat "$work/lint"
	else
		echo "ok $page"
	fi
done
for word in report inventory findings check mark --revision --kubernetes; do
	if sed 's/\\-/-/g' "$work/boundwalk.1" | grep -qF -e "$word"; then
		echo "ok the manual names $word"
	else
		echo "not ok the manual names $word"
	fi
done
exit 0
