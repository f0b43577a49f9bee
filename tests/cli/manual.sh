#!/bin/sh
# The manual is well formed and names every command, option and key.
# SPDX-License-Identifier: MIT
. tests/cli.sh

# The text of a page without the escapes of the formatter.
plain() {
	sed 's/\\-/-/g; s/\\&//g' "$1"
}

pages_are_well_formed() {
	command -v mandoc >/dev/null || return 0
	for page in man/*.[157]; do mandoc -T lint -W warning "$page"; done
}

no_region_is_empty() {
	for page in man/boundwalk.1 man/boundwalk-rules.7 README.md; do
		awk '/begin generated/ { at = NR } /end generated/ && NR == at + 1 { exit 1 }' "$page"
	done
}

commands_and_options_are_named() {
	plain man/boundwalk.1 >"$scratch/page"
	exits 0 --help
	sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/out" >"$scratch/words"
	for command in $(cat "$scratch/words"); do
		grep -qE "^\.It Cm $command( |\$)" "$scratch/page"
		"$BOUNDWALK" "$command" --help
	done >"$scratch/help"
	grep -oE -e '^  (-.,|   ) --[a-z-]+' "$scratch/help" "$scratch/out" | sed 's/.*--/--/' | sort -u >"$scratch/words"
	[ "$(wc -l <"$scratch/words")" -gt 20 ]
	for option in $(cat "$scratch/words"); do grep -qE -e "Fl -${option#--}( |\$)" "$scratch/page"; done
}

rules_and_fields_are_named() {
	plain man/boundwalk-rules.7 >"$scratch/page"
	exits 0 findings -f tsv "$demo"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rule") c = i; next } { print $c }' \
		"$scratch/out" | sort -u >"$scratch/words"
	[ -s "$scratch/words" ]
	for rule in $(cat "$scratch/words"); do grep -qxF ".It Sy $rule" "$scratch/page"; done
	exits 0 map -f tsv --filter id=R-01 "$demo"
	[ "$(grep -cE '^\.It Sy [a-z_]+ Pq ' "$scratch/page")" -eq 20 ]
}

for test in pages_are_well_formed no_region_is_empty commands_and_options_are_named \
	rules_and_fields_are_named; do
	check $test
done
[ $failures -eq 0 ]
