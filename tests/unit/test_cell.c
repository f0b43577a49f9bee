/* Cells propose what the facts allow, say it in one line, and change their fingerprint with the facts.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/review_help.h"

static void declared_is(const struct snapshot *s, const struct row *row, enum field field,
			const char *expected)
{
	struct buf out = { 0 };

	cell_declared(s, row, field, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_free(&out);
}

static void test_written_values(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct cell c = cell_of(&s, row, FIELD_MOUNTS);

	(void)state;
	assert_int_equal(c.mark, MARK_DECLARED);
	assert_string_equal(c.sub, "explicit");
	assert_int_equal(c.fact_count, 1);
	declared_is(&s, row, FIELD_MOUNTS, "/var/run/docker.sock rw");
	declared_is(&s, row, FIELD_IDENTITY, "root");
	assert_ptr_equal(cell_fact(row, FIELD_MOUNTS, 0), cell_next(row, FIELD_MOUNTS, NULL));
	assert_null(cell_fact(row, FIELD_MOUNTS, 1));
	snapshot_free(&s);
}

static void test_a_mounted_socket_is_a_control_channel(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);

	(void)state;
	declared_is(&s, row, FIELD_CONTROL_CHANNELS, "/var/run/docker.sock rw");
	snapshot_free(&s);
}

static void test_silence(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct cell c = cell_of(&s, row, FIELD_EGRESS);

	(void)state;
	assert_int_equal(c.mark, MARK_DECLARED);
	assert_string_equal(c.sub, "absent");
	declared_is(&s, row, FIELD_EGRESS, "open by default");
	c = cell_of(&s, row, FIELD_AGENT_POSITION);
	assert_int_equal(c.mark, MARK_UNAVAILABLE);
	assert_string_equal(c.sub, "not-supplied");
	assert_non_null(c.reason);
	assert_int_equal(cell_of(&s, row, FIELD_CAPABILITIES).mark, MARK_UNAVAILABLE);
	s.scope.runtime = "podman";
	assert_int_equal(cell_of(&s, row, FIELD_CAPABILITIES).mark, MARK_DECLARED);
	declared_is(&s, row, FIELD_CAPABILITIES, "the 11 default capabilities of Podman");
	snapshot_free(&s);
}

static void test_identity_changed_by_entrypoint(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);

	(void)state;
	snapshot_add_fact(&s, row, FACT_PRIVILEGE_DROP, "1000", row->span);
	declared_is(&s, row, FIELD_IDENTITY, "root \xE2\x86\x92 1000 by entrypoint");
	snapshot_free(&s);
}

static void test_templated_and_unresolved(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct fact *f = snapshot_add_fact(&s, row, FACT_PRIVILEGED, "", row->span);

	(void)state;
	f->provenance = PROVENANCE_UNRESOLVED;
	f->note = "variable PRIV is not supplied";
	assert_int_equal(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).mark, MARK_UNAVAILABLE);
	assert_string_equal(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).sub, "unresolved");
	f->value = "true";
	assert_int_equal(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).mark, MARK_DECLARED);
	assert_string_equal(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).sub, "templated");
	snapshot_free(&s);
}

static void add_observed(struct snapshot *s, struct row *row, enum fact_kind kind,
			 const char *value)
{
	snapshot_add_fact(s, row, kind, value, row->span)->layer = LAYER_OBSERVED;
}

static void test_conflict(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	struct buf out = { 0 };

	(void)state;
	snapshot_add_fact(&s, row, FACT_PRIVILEGED, "false", row->span);
	add_observed(&s, row, FACT_PRIVILEGED, "false");
	assert_true(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).has_observed);
	assert_false(cell_of(&s, row, FIELD_PRIVILEGE_GAIN).conflict);
	add_observed(&s, row, FACT_CAP_ADD, "NET_ADMIN");
	assert_true(cell_of(&s, row, FIELD_CAPABILITIES).conflict);
	assert_int_equal(cell_of(&s, row, FIELD_CAPABILITIES).mark, MARK_UNAVAILABLE);
	cell_observed(&s, row, FIELD_CAPABILITIES, &out);
	assert_string_equal(buf_text(&out), "adds NET_ADMIN");
	add_observed(&s, row, FACT_USER, "0");
	assert_false(cell_of(&s, row, FIELD_IDENTITY).conflict);
	buf_free(&out);
	snapshot_free(&s);
}

static void fingerprint_of(const struct snapshot *s, const struct row *row, enum field field,
			   char out[DIGEST_HEX])
{
	cell_fingerprint(s, row, field, digest_sha256, out);
}

static void test_fingerprint(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	char before[DIGEST_HEX], after[DIGEST_HEX];
	struct fact *f = row->facts.items[2];

	(void)state;
	fingerprint_of(&s, row, FIELD_MOUNTS, before);
	f->span.offset++;
	fingerprint_of(&s, row, FIELD_MOUNTS, after);
	assert_string_equal(before, after);
	snapshot_set_attribute(&s, f, "read_only", "true");
	fingerprint_of(&s, row, FIELD_MOUNTS, after);
	assert_string_not_equal(before, after);
	fingerprint_of(&s, row, FIELD_EGRESS, before);
	snapshot_add_fact(&s, row, FACT_NETWORK, "inner", row->span);
	fingerprint_of(&s, row, FIELD_EGRESS, after);
	assert_string_not_equal(before, after);
	snapshot_free(&s);
}

static void test_keys(void **state)
{
	struct snapshot s = { 0 };
	struct row *row = help_snapshot(&s);
	const char *key = cell_key(&s.arena, row, FIELD_IDENTITY), *row_key;
	enum field field;

	(void)state;
	assert_string_equal(key, "compose.yml#service//agent:identity");
	assert_true(cell_key_split(&s.arena, key, &row_key, &field));
	assert_string_equal(row_key, row->key);
	assert_int_equal(field, FIELD_IDENTITY);
	assert_false(cell_key_split(&s.arena, "a:nothing", &row_key, &field));
	assert_false(cell_key_split(&s.arena, "identity", &row_key, &field));
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written_values),
		cmocka_unit_test(test_a_mounted_socket_is_a_control_channel),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_identity_changed_by_entrypoint),
		cmocka_unit_test(test_templated_and_unresolved),
		cmocka_unit_test(test_conflict),
		cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
