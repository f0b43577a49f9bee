/* YAML: spans in bytes, recovery, duplicates, aliases, limits.
 * SPDX-License-Identifier: MIT */
#include "syntax_help.h"

static void read_text(struct reading *r, const char *text)
{
	reading_begin(r, text, strlen(text));
	yaml_read(&r->arena, &r->source, &r->documents, &r->problems);
}

static const struct node *top(const struct reading *r, size_t i)
{
	assert_true(i < r->documents.count);
	return r->documents.items[i];
}

static void spans_are_bytes_behind_multibyte_text(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	read_text(&r, "name: \"h\xC3\xA9\xF0\x9F\x98\x80\" # \xE2\x82\xAC\nafter: [one, 'two']\n");
	assert_int_equal(r.problems.count, 0);
	n = node_get(top(&r, 0), "name");
	assert_span(&r, n->span, "\"h\xC3\xA9\xF0\x9F\x98\x80\"");
	n = node_get(top(&r, 0), "after");
	assert_span(&r, n->span, "[one, 'two']");
	assert_span(&r, node_key_span(n), "after");
	assert_span(&r, node_at(n, 1)->span, "'two'");
	arena_free(&r.arena);
}

static void lines_are_line_feeds_only(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	/* U+0085, U+2028 and a lone CR end a line for the parser but not for an editor. */
	read_text(&r, "a: 1 # x\xC2\x85"
		      "b: 2 # \xE2\x80\xA8"
		      "c: 3\r"
		      "d: 4\r\n"
		      "e: 5\n");
	assert_int_equal(r.problems.count, 0);
	n = node_get(top(&r, 0), "e");
	assert_non_null(n);
	assert_span(&r, n->span, "5");
	assert_int_equal(source_line(&r.source, n->span.offset), 2);
	n = node_get(top(&r, 0), "d");
	assert_span(&r, n->span, "4");
	assert_int_equal(source_line(&r.source, n->span.offset), 1);
	arena_free(&r.arena);
}

static void crlf_files_keep_their_positions(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	read_text(&r, "a: |\r\n  one\r\n  two\r\nb:\r\n  - x\r\n  - y\r\n");
	n = node_get(top(&r, 0), "a");
	assert_string_equal(n->text, "one\ntwo\n");
	assert_span(&r, n->span, "|\r\n  one\r\n  two");
	n = node_get(top(&r, 0), "b");
	assert_span(&r, n->span, "- x\r\n  - y");
	assert_int_equal(source_line(&r.source, node_at(n, 1)->span.offset), 6);
	arena_free(&r.arena);
}

static void block_collections_end_with_their_last_item(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a:\n  b: 1\n  c:\n    - 2\n\n# comment\n\nd: 3\n");
	assert_span(&r, node_get(top(&r, 0), "a")->span, "b: 1\n  c:\n    - 2");
	arena_free(&r.arena);
}

static void tags_and_anchors_stand_outside_the_span(void **state)
{
	struct reading r;
	const struct node *n;

	(void)state;
	read_text(&r, "ports: !reset &p # why\n  - 80\nsize: !!str 12\ngone: !override\n");
	n = node_get(top(&r, 0), "ports");
	assert_string_equal(n->tag, "!reset");
	assert_string_equal(n->anchor, "p");
	assert_span(&r, n->span, "- 80");
	n = node_get(top(&r, 0), "size");
	assert_string_equal(n->tag, "!!str");
	assert_span(&r, n->span, "12");
	n = node_get(top(&r, 0), "gone");
	assert_string_equal(n->tag, "!override");
	assert_int_equal(n->kind, NODE_NULL);
	arena_free(&r.arena);
}

static void nulls_are_values_but_not_keys(void **state)
{
	struct reading r;
	const struct node *map;

	(void)state;
	read_text(&r, "a:\nb: ~\nc: null\nd: \"null\"\ne: ''\nnull: f\ng: !!str null\n");
	map = top(&r, 0);
	assert_true(node_is_null(node_get(map, "a")));
	assert_int_equal(source_column(&r.source, node_get(map, "a")->span.offset), 3);
	assert_true(node_is_null(node_get(map, "b")));
	assert_span(&r, node_get(map, "c")->span, "null");
	assert_true(node_is(node_get(map, "d"), "null"));
	assert_true(node_is(node_get(map, "e"), ""));
	assert_true(node_is(node_get(map, "null"), "f"));
	assert_true(node_is(node_get(map, "g"), "null"));
	arena_free(&r.arena);
}

static void one_broken_document_costs_no_other(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: 1\n---\nb: [1\n--- # next\nc: 3\n---\nd: \"x\n---\ne: |\n  ---\n  x\n");
	assert_int_equal(r.documents.count, 3);
	assert_int_equal(r.documents.failed, 2);
	assert_int_equal(r.problems.count, 2);
	assert_non_null(node_get(top(&r, 0), "a"));
	assert_true(node_is(node_get(top(&r, 1), "c"), "3"));
	assert_true(node_is(node_get(top(&r, 2), "e"), "---\nx\n"));
	assert_int_equal(source_line(&r.source, node_get(top(&r, 2), "e")->span.offset), 9);
	assert_problem(&r, 0, 4, 1, "begins on line 3");
	arena_free(&r.arena);
}

static void a_control_character_fails_only_its_document(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: \xC3\xA9\n---\nb: \xC3\xA9\x01\n---\nc: 3\n");
	assert_int_equal(r.documents.count, 2);
	assert_problem(&r, 0, 3, 5, "control characters");
	arena_free(&r.arena);
}

static void text_behind_a_document_fails_it_whole(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "---\n[\nitem\n]\nstray: item\n---\nb: 2\n");
	assert_int_equal(r.documents.count, 1);
	assert_int_equal(r.documents.failed, 1);
	arena_free(&r.arena);
}

static void directives_survive_the_cutting(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: [\n...\n%TAG !e! tag:example.com:\n---\nb: !e!x 1\n");
	assert_int_equal(r.documents.count, 1);
	assert_string_equal(node_get(top(&r, 0), "b")->tag, "tag:example.com:x");
	arena_free(&r.arena);
}

static void templates_are_named_as_such(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n");
	assert_int_equal(r.documents.failed, 1);
	assert_problem(&r, 0, 2, 1, "template");
	arena_free(&r.arena);
}

static void empty_streams_have_no_documents(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "# nothing\n\n");
	assert_int_equal(r.documents.count + r.problems.count, 0);
	arena_free(&r.arena);
	read_text(&r, "");
	assert_int_equal(r.documents.count + r.problems.count, 0);
	arena_free(&r.arena);
	read_text(&r, "---\n# nothing\n---\na: 1\n");
	assert_int_equal(r.documents.count, 2);
	assert_true(node_is_null(top(&r, 0)));
	arena_free(&r.arena);
}

static void duplicate_keys_are_reported_in_place(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: 1\nb: {c: 1, \"c\": 2}\n'a': 2\n");
	assert_int_equal(r.documents.failed, 0);
	assert_int_equal(r.problems.count, 2);
	assert_problem(&r, 0, 2, 11, "duplicate key \"c\"");
	assert_problem(&r, 1, 3, 1, "duplicate key \"a\" (first on line 1)");
	assert_true(node_is(node_get(top(&r, 0), "a"), "2"));
	arena_free(&r.arena);
}

static void duplicates_are_found_in_large_maps(void **state)
{
	struct arena a = { 0 };
	char *text = arena_alloc(&a, (size_t)64 * 50001);
	size_t length = 0;
	struct reading r;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		const char *line = arena_printf(&a, "key%d: 1\n", i == 40000 ? 17 : i);

		memcpy(text + length, line, strlen(line));
		length += strlen(line);
	}
	read_text(&r, text);
	assert_int_equal(r.problems.count, 1);
	assert_problem(&r, 0, 40001, 1, "duplicate key \"key17\" (first on line 18)");
	arena_free(&r.arena);
	arena_free(&a);
}

static void an_alias_means_the_latest_anchor(void **state)
{
	struct reading r;
	const struct node *map;

	(void)state;
	read_text(&r, "a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: *y\n---\nf: *x\n");
	map = top(&r, 0);
	assert_true(node_is(node_get(map, "b"), "1"));
	assert_true(node_is(node_get(map, "d"), "2"));
	assert_span(&r, node_find(map, "b")->value->span, "*x");
	assert_null(node_get(map, "e"));
	assert_int_equal(r.problems.count, 2);
	assert_problem(&r, 0, 5, 4, "\"*y\"");
	assert_problem(&r, 1, 7, 4, "\"*x\"");
	arena_free(&r.arena);
}

static void an_alias_cannot_contain_itself(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, "a: &x\n  b: [*x]\n");
	assert_problem(&r, 0, 2, 7, "contains itself");
	assert_null(node_at(node_path(top(&r, 0), "a", "b", NULL), 0));
	arena_free(&r.arena);
}

static void merge_keys_are_looked_through(void **state)
{
	struct reading r;
	const struct node *map;

	(void)state;
	read_text(&r, "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\n"
		      "use:\n  <<: [*b, *m]\n  x: 9\n");
	map = node_get(top(&r, 0), "use");
	assert_int_equal(r.problems.count, 0);
	assert_true(node_is(node_get(map, "x"), "9"));
	assert_true(node_is(node_get(map, "y"), "2"));
	assert_true(node_is(node_get(map, "z"), "4"));
	assert_string_equal(map->items[0].key->text, "<<");
	arena_free(&r.arena);
}

static void depth_bombs_end_as_problems(void **state)
{
	static const char *const words[] = { "[", "{", "- ", "? ", "{a: ", "[{" };

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct arena a = { 0 };
		struct reading r;

		read_text(&r, repeated(&a, "", words[i], 100000));
		assert_int_equal(r.documents.count, 0);
		assert_int_equal(r.problems.count, 1);
		assert_problem(&r, 0, 1, source_column(&r.source, r.problems.items[0].span.offset),
			       "deep");
		arena_free(&r.arena);
		arena_free(&a);
	}
}

static void wide_files_end_as_problems(void **state)
{
	struct arena a = { 0 };
	struct reading r;

	(void)state;
	read_text(&r, repeated(&a, "", "- 1\n", LIMIT_NODES + 10));
	assert_int_equal(r.documents.failed, 1);
	assert_non_null(strstr(r.problems.items[0].message, "too many values"));
	arena_free(&r.arena);
	read_text(&r, repeated(&a, "", "---\n", LIMIT_DOCUMENTS + 10));
	assert_int_equal(r.documents.count, LIMIT_DOCUMENTS);
	assert_non_null(strstr(r.problems.items[0].message, "too many documents"));
	arena_free(&r.arena);
	read_text(&r, repeated(&a, "", "%\n...\n", LIMIT_DOCUMENTS + 10));
	assert_int_equal(r.problems.count, LIMIT_PROBLEMS);
	assert_int_equal(r.documents.failed, LIMIT_DOCUMENTS + 1);
	arena_free(&r.arena);
	arena_free(&a);
}

static void billion_laughs_stay_small(void **state)
{
	struct arena a = { 0 };
	const char *text = "a0: &a0 [x,x,x,x,x,x,x,x]\n";
	struct reading r;

	(void)state;
	for (int i = 1; i < 40; i++)
		text = arena_printf(&a, "%sa%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n",
				    text, i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	read_text(&r, text);
	assert_int_equal(r.problems.count, 0);
	assert_true(r.arena.used < (size_t)4 * 1024 * 1024);
	arena_free(&r.arena);
	arena_free(&a);
}

static void every_truncation_is_survived(void **state)
{
	static const char text[] = "%YAML 1.1\n---\na: &x !t \"\\u00e9\" # c\nb: [*x, {k: 'v'}]\n"
				   "? c\n: >-\n  \xC3\xA9\n...\n---\n- |\n  t\n";

	(void)state;
	for (size_t length = 0; length < sizeof text; length++) {
		struct reading r;

		reading_begin(&r, text, length);
		yaml_read(&r.arena, &r.source, &r.documents, &r.problems);
		for (size_t i = 0; i < r.problems.count; i++)
			assert_true(r.problems.items[i].span.offset <= length);
		assert_int_equal(r.documents.failed, r.problems.count);
		arena_free(&r.arena);
	}
}

static void json_that_the_parser_refuses_is_still_read(void **state)
{
	struct arena a = { 0 };
	struct reading r;
	const char *text = arena_printf(&a, "{\"%s\": \"\\ud83d\\ude00\"}\n",
					repeated(&a, "", "k", 2000));

	(void)state;
	read_text(&r, text);
	assert_int_equal(r.problems.count, 0);
	assert_string_equal(top(&r, 0)->items[0].value->text, "\xF0\x9F\x98\x80");
	arena_free(&r.arena);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_bytes_behind_multibyte_text),
		cmocka_unit_test(lines_are_line_feeds_only),
		cmocka_unit_test(crlf_files_keep_their_positions),
		cmocka_unit_test(block_collections_end_with_their_last_item),
		cmocka_unit_test(tags_and_anchors_stand_outside_the_span),
		cmocka_unit_test(nulls_are_values_but_not_keys),
		cmocka_unit_test(one_broken_document_costs_no_other),
		cmocka_unit_test(a_control_character_fails_only_its_document),
		cmocka_unit_test(text_behind_a_document_fails_it_whole),
		cmocka_unit_test(directives_survive_the_cutting),
		cmocka_unit_test(templates_are_named_as_such),
		cmocka_unit_test(empty_streams_have_no_documents),
		cmocka_unit_test(duplicate_keys_are_reported_in_place),
		cmocka_unit_test(duplicates_are_found_in_large_maps),
		cmocka_unit_test(an_alias_means_the_latest_anchor),
		cmocka_unit_test(an_alias_cannot_contain_itself),
		cmocka_unit_test(merge_keys_are_looked_through),
		cmocka_unit_test(depth_bombs_end_as_problems),
		cmocka_unit_test(wide_files_end_as_problems),
		cmocka_unit_test(billion_laughs_stay_small),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(json_that_the_parser_refuses_is_still_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
