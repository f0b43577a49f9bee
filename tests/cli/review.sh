#!/bin/sh
# A review by commands: mark, decide, sign, verify, log, and where it is kept.
. tests/cli.sh

fresh() {
	cp -R "$demo" "$scratch/tree"
	tree=$scratch/tree
	review=$scratch/review.jsonl
	before=$(digest_of "$tree")
}
tree_is_untouched() {
	[ "$(digest_of "$tree")" = "$before" ]
}
lines_of() {
	wc -l <"$1" | tr -d ' '
}

a_mark_is_kept_and_shown() {
	fresh
	exits 0 mark R-01:mounts declared --review "$review" --reviewer ana "$tree"
	# The schema and one event, one object a line.
	[ "$(lines_of "$review")" -eq 2 ]
	head -n 1 "$review" | grep -qF '{"schema":"boundwalk-review/'
	tail -n 1 "$review" | grep -qF '"event":"mark"'
	tail -n 1 "$review" | grep -qF '"by":"ana"'
	exits 0 show R-01:mounts --review "$review" "$tree"
	prints ana
	exits 0 map -f tsv --filter by=ana --review "$review" "$tree"
	[ "$(lines_of "$scratch/out")" -eq 2 ]
	exits 0 log --review "$review" "$tree"
	prints mark
	# Nothing but the file that was named.
	[ ! -e "$XDG_STATE_HOME" ]
	tree_is_untouched
}

marks_need_their_ground() {
	fresh
	refuses 'needs the reason: -m NOTE' mark R-01:mounts unavailable "$tree"
	refuses '--basis FILE[:LINE]' mark R-01:mounts observed "$tree"
	refuses 'artifacts' mark R-01:mounts observed --basis absent.json "$tree"
	refuses 'is none of declared|observed|unavailable' mark R-01:mounts perhaps "$tree"
	refuses 'R-77' mark R-77:mounts declared "$tree"
	refuses 'nonsense' mark R-01:nonsense declared "$tree"
	# Configuration is no observation.
	refuses 'compose.yaml' mark R-08:mounts observed --basis compose.yaml "$tree"
	refuses '--read-only' mark R-01:mounts declared --read-only "$tree"
	tree_is_untouched
}

the_review_is_kept_outside_of_the_tree() {
	fresh
	exits 0 mark R-01:mounts declared "$tree"
	[ "$(find "$XDG_STATE_HOME/boundwalk" -name review.jsonl | wc -l)" -eq 1 ]
	exits 0 log "$tree"
	prints 'R-01' || prints mounts
	# Readable for its owner only.
	[ "$(find "$XDG_STATE_HOME" -name review.jsonl -perm 0600 | wc -l)" -eq 1 ]
	[ ! -e "$HOME" ]
	tree_is_untouched
}

without_a_state_home_it_is_below_home() {
	fresh
	unset XDG_STATE_HOME
	exits 0 mark R-01:mounts declared "$tree"
	[ "$(find "$HOME/.local/state/boundwalk" -name review.jsonl | wc -l)" -eq 1 ]
}

decisions_need_their_ground() {
	fresh
	refuses '-m NOTE' decide F-01 accepted "$tree"
	refuses '--owner' decide F-01 accepted -m 'known' "$tree"
	refuses '--expires' decide F-01 accepted -m 'known' --owner ops --expires soon "$tree"
	refuses 'is past' decide F-01 accepted -m 'known' --owner ops --expires 2001-01-01 "$tree"
	refuses 'none of' decide F-01 ignored -m 'known' "$tree"
	refuses 'F-9999' decide F-9999 confirmed "$tree"
	tree_is_untouched
}

# A tree with one finding of high severity or above, to be settled.
small_tree() {
	mkdir "$scratch/tree"
	tree=$scratch/tree
	review=$scratch/review.jsonl
	printf 'services:\n  worker:\n    image: busybox:1.36\n    privileged: true\n' >"$tree/compose.yaml"
	before=$(digest_of "$tree")
}

accepted_findings_are_not_open() {
	small_tree
	exits 1 check --review "$review" "$tree"
	exits 0 findings -f tsv --filter 'severity=critical,high' --review "$review" "$tree"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "key") c = i; next } { print $c }' \
		"$scratch/out" >"$scratch/keys"
	[ -s "$scratch/keys" ]
	while read -r key; do
		exits 0 decide "$key" accepted -m 'a test bench' --owner ops --expires 2999-12-31 \
			--review "$review" "$tree"
	done <"$scratch/keys"
	exits 0 check --review "$review" "$tree"
	exits 1 check --fail-on info --review "$review" "$tree"
	exits 3 check --require-signed --review "$review" "$tree"
	exits 0 report --review "$review" "$tree"
	prints 'a test bench'
	tree_is_untouched
}

a_changed_line_opens_a_decision_again() {
	small_tree
	exits 0 findings -f tsv --filter 'rule=privileged-container' --review "$review" "$tree"
	id=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "key") c = i } NR == 2 { print $c }' \
		"$scratch/out")
	[ -n "$id" ]
	exits 0 decide "$id" false-positive -m 'not deployed' --review "$review" "$tree"
	exits 0 findings -f tsv --filter 'rule=privileged-container disposition:false-positive' --review "$review" "$tree"
	[ "$(lines_of "$scratch/out")" -eq 2 ]
	# A comment and another order change nothing.
	printf '# a comment\nservices:\n  worker:\n    privileged: true\n    image: busybox:1.36\n' \
		>"$tree/compose.yaml"
	exits 0 findings -f tsv --filter 'rule=privileged-container disposition=false-positive' --review "$review" "$tree"
	[ "$(lines_of "$scratch/out")" -eq 2 ]
}

sign_whole() {
	small_tree
	exits 0 map -f tsv --review "$review" "$tree"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "key") k = i; if ($i == "mark") m = i }; next }
		{ print $k, $m }' "$scratch/out" >"$scratch/cells"
	[ "$(lines_of "$scratch/cells")" -eq 20 ]
	while read -r key mark; do
		case $mark in
		d*) exits 0 mark "$key" declared --review "$review" "$tree" ;;
		*) exits 0 mark "$key" unavailable -m 'nobody has shown it' --review "$review" "$tree" ;;
		esac
	done <"$scratch/cells"
}

a_signed_review_satisfies_check_until_something_changes() {
	sign_whole
	exits 3 check --fail-on critical --require-signed --review "$review" "$tree" ||
		exits 1 check --fail-on critical --require-signed --review "$review" "$tree"
	exits 0 findings -f tsv --filter 'severity=critical,high' --review "$review" "$tree"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "key") c = i; next } { print $c }' \
		"$scratch/out" >"$scratch/keys"
	while read -r key; do
		exits 0 decide "$key" accepted -m 'a test bench' --owner ops --expires 2999-12-31 \
			--review "$review" "$tree"
	done <"$scratch/keys"
	exits 3 check --require-signed --review "$review" "$tree"
	prints 'not signed'
	exits 0 sign --role 'Lead reviewer' --decision approved --review "$review" --reviewer ana "$tree"
	prints 'signed by ana as Lead reviewer: approved'
	exits 0 check --require-signed --review "$review" "$tree"
	exits 0 report -o "$scratch/report.md" --review "$review" "$tree"
	! grep -qF DRAFT "$scratch/report.md" || return 1
	grep -qF ana "$scratch/report.md"
	exits 0 verify "$scratch/report.md" --review "$review" "$tree"
	prints 'matches, signed as it stands'
	# A changed file makes it a draft again, and the report no longer matches.
	printf '    cap_add: [SYS_PTRACE]\n' >>"$tree/compose.yaml"
	exits 1 verify "$scratch/report.md" --review "$review" "$tree"
	prints 'differs from line'
	got=0
	"$BOUNDWALK" check --require-signed --fail-on critical --review "$review" "$tree" >"$scratch/out" || got=$?
	[ $got -ne 0 ]
	exits 0 report --review "$review" "$tree"
	prints DRAFT
}

unresolved_checks_are_confirmed_by_their_number() {
	small_tree
	refuses '--confirm-unresolved' sign --confirm-unresolved 123456 --review "$review" "$tree"
	[ ! -s "$review" ] || [ "$(lines_of "$review")" -le 1 ]
}

two_reviewers_are_both_seen() {
	fresh
	exits 0 mark R-01:mounts declared --review "$scratch/ana" --reviewer ana "$tree"
	exits 0 mark R-01:mounts unavailable -m 'not deployed so' --review "$scratch/bo" --reviewer bo "$tree"
	exits 0 log --review "$scratch/ana" --review "$scratch/bo" "$tree"
	prints ana
	prints bo
	exits 0 map -f tsv --filter 'field=mounts evidence:disputed' --review "$scratch/ana" \
		--review "$scratch/bo" "$tree"
	[ "$(lines_of "$scratch/out")" -eq 2 ]
}

a_torn_line_loses_nothing_else() {
	fresh
	exits 0 mark R-01:mounts declared --review "$review" "$tree"
	printf '{"event":"mark","id":"e2-00' >>"$review"
	exits 0 log --review "$review" "$tree"
	prints 'could not be read'
	exits 0 mark R-01:image declared --review "$review" "$tree"
	exits 0 log --review "$review" "$tree"
	[ "$(grep -c ' mark ' "$scratch/out")" -eq 2 ]
}

a_review_file_is_no_link() {
	fresh
	echo kept >"$scratch/target"
	ln -s "$scratch/target" "$review"
	refuses "$review" mark R-01:mounts declared --review "$review" "$tree"
	[ "$(cat "$scratch/target")" = kept ]
}

notes_hold_no_control_bytes() {
	fresh
	refuses 'note' mark R-01:mounts unavailable -m "$(printf 'a\033[31mb')" --review "$review" "$tree" ||
		refuses 'control' mark R-01:mounts unavailable -m "$(printf 'a\033[31mb')" --review "$review" "$tree"
}

keys_of_the_reviewer_and_commands_meet_in_one_file() {
	fresh
	printf '2\nd\nQ\n' >"$scratch/script"
	exits 0 play "$scratch/script" --size 100x30 --review "$review" --reviewer ana "$tree"
	exits 0 log --review "$review" "$tree"
	prints ana
	tree_is_untouched
}

a_closed_output_is_not_the_review() {
	"$BOUNDWALK" sign --review "$scratch/r.jsonl" $demo >&- 2>&- </dev/null || :
	grep -q '"event":"sign"' "$scratch/r.jsonl"
	! grep -v '^{' "$scratch/r.jsonl"
}

for test in a_closed_output_is_not_the_review a_mark_is_kept_and_shown marks_need_their_ground the_review_is_kept_outside_of_the_tree \
	without_a_state_home_it_is_below_home decisions_need_their_ground accepted_findings_are_not_open \
	a_changed_line_opens_a_decision_again a_signed_review_satisfies_check_until_something_changes \
	unresolved_checks_are_confirmed_by_their_number two_reviewers_are_both_seen \
	a_torn_line_loses_nothing_else a_review_file_is_no_link notes_hold_no_control_bytes \
	keys_of_the_reviewer_and_commands_meet_in_one_file; do
	check $test
done
[ $failures -eq 0 ]
