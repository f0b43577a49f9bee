/* Shell text: commands, words, heredocs, substitutions, and where they stand.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/shell.h"

struct script {
	struct arena arena;
	struct source source;
	struct shell sh;
};

static void load(struct script *s, const char *text, enum shell_flavour flavour)
{
	struct folded f;

	*s = (struct script){ 0 };
	source_init(&s->source, &s->arena, 1, "x.sh", text, (uint32_t)strlen(text));
	f = folded_from(&s->arena, &s->source,
			(struct span){ .source = 1, .length = (uint32_t)strlen(text) });
	shell_read(&s->arena, &f, flavour, &s->sh);
}

/* One line per command: connector, assignments, words, redirections. */
static void describe(const struct shell *sh, struct buf *out)
{
	static const char *const before[] = { "^", ";", "&&", "||", "|" };

	for (size_t i = 0; i < sh->count; i++) {
		const struct shell_command *c = &sh->items[i];

		buf_puts(out, before[c->before]);
		for (size_t k = 0; k < c->assignment_count; k++) {
			const struct shell_assignment *a = &c->assignments[k];

			buf_printf(out, " %s%s=%s", a->name, a->append ? "+" : "", a->value.text);
			for (size_t e = 0; e < a->elements.count; e++)
				buf_printf(out, "(%s)", a->elements.items[e].text);
		}
		for (size_t k = 0; k < c->words.count; k++)
			buf_printf(out, " %s", c->words.items[k].text);
		for (size_t k = 0; k < c->redirect_count; k++)
			buf_printf(out, " [%d%s%s]", c->redirects[k].descriptor, c->redirects[k].op,
				   c->redirects[k].target.text);
		if (c->background)
			buf_puts(out, " &");
		if (c->parent >= 0)
			buf_printf(out, " in %d", c->parent);
		buf_putc(out, '\n');
	}
}

static const struct {
	const char *text, *commands;
} cases[] = {
	{ "a b && c || d; e | f & g", "^ a b\n&& c\n|| d\n; e\n| f &\n; g\n" },
	{ "curl -fsSL \"https://x/y\" \\\n  | sudo bash -s -- 'a b'",
	  "^ curl -fsSL https://x/y\n| sudo bash -s -- a b\n" },
	{ "# note\nA=1 B='2 3' run $X \"$Y z\" # end\n", "^ A=1 B=2 3 run $X $Y z\n" },
	{ "args+=(--a \"b c\"\n  d)\ndocker run \"${args[@]}\"\n",
	  "^ args+=(--a)(b c)(d)\n; docker run ${args[@]}\n" },
	{ "if [ -f x ]; then\n y\nelif z; then w; else v\nfi\nu\n",
	  "^ [ -f x ]\n; y\n; z\n; w\n; v\n; u\n" },
	{ "for i in a b; do rm $i; done | tee log", "^ for i in a b\n; rm $i\n| tee log\n" },
	{ "while read l; do sh \"$l\"; done < list", "^ read l\n; sh $l\n; [-1<list]\n" },
	{ "curl x | while read l; do sh $l; done", "^ curl x\n| read l\n; sh $l\n" },
	{ "case \"$1\" in\n a|b) one ;;\n (*) two;; esac\nthree", "^ case $1 in\n; one\n; two\n; three\n" },
	{ "f() { a; }\nfunction g {\n b\n}\nc", "^ f\n; a\n; g\n; b\n; c\n" },
	{ "cat <<EOF >f\nrm -rf / \"\nEOF\nnext", "^ cat [-1<<EOF] [-1>f]\n; next\n" },
	{ "cat <<-'E' | sh\n\tx\n\tE\ny", "^ cat [-1<<-E]\n| sh\n; y\n" },
	{ "x=$(curl -s u | sh) y", "^ x=$(curl -s u | sh) y\n^ curl -s u in 0\n| sh in 0\n" },
	{ "bash <(curl u) `id -u`", "^ bash <(curl u) `id -u`\n^ curl u in 0\n^ id -u in 0\n" },
	{ "a 2>&1 >/dev/null &>b 3<c", "^ a [2>&1] [-1>/dev/null] [-1&>b] [3<c]\n" },
	{ "(a; b) | c", "^ a\n; b\n| c\n" },
	{ "! a &&\n\n b", "^ a\n&& b\n" },
	{ "[[ -n $x && $y == (a|b) ]] && z", "^ [[ -n $x & & $y == ( a | b ) ]]\n&& z\n" },
	{ "m=$(cat <<'E'\nit's )\nE\n)\nnext", "^ m=$(cat <<'E'\nit's )\nE\n)\n; next\n^ cat [-1<<E] in 0\n" },
	{ "echo $((1<<2)) ${a:-$(b)} $'t\\tu'", "^ echo $((1<<2)) ${a:-$(b)} t\tu\n" },
	{ "\"unclosed", "^ unclosed\n" },
	{ "a ); b }; fi; c", "^ a\n; b }\n; c\n" },
};

static void commands(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct script s;
		struct buf out = { 0 };

		load(&s, cases[i].text, SHELL_POSIX);
		describe(&s.sh, &out);
		if (strcmp(buf_text(&out), cases[i].commands) != 0)
			fail_msg("%s\ngave\n%s", cases[i].text, buf_text(&out));
		buf_free(&out);
		arena_free(&s.arena);
	}
}

static void places(void **state)
{
	struct script s;
	const struct shell_command *c;

	(void)state;
	load(&s, "a \\\n  --b 'c d' \\\n  e\nf\n", SHELL_POSIX);
	c = &s.sh.items[0];
	assert_int_equal(c->words.count, 4);
	assert_int_equal(source_line(&s.source, c->words.items[2].span.offset), 2);
	assert_int_equal(c->words.items[2].span.length, 5);
	assert_int_equal(source_line(&s.source, c->words.items[3].span.offset), 3);
	assert_int_equal(source_line(&s.source, s.sh.items[1].span.offset), 4);
	assert_int_equal(source_end_line(&s.source, c->span), 3);
	arena_free(&s.arena);
}

static void a_heredoc_keeps_its_body(void **state)
{
	struct script s;
	const struct shell_redirect *r;

	(void)state;
	load(&s, "sudo bash <<'EOF'\ncurl x\nEOF\nz\n", SHELL_POSIX);
	r = &s.sh.items[0].redirects[0];
	assert_int_equal(r->body.length, 7);
	assert_int_equal(source_line(&s.source, r->body.offset), 2);
	assert_false(r->expand);
	arena_free(&s.arena);
}

static void functions_and_control_words_are_known(void **state)
{
	struct script s;

	(void)state;
	load(&s, "f() {\n if a; then b; fi\n c\n}\nd\n", SHELL_POSIX);
	assert_int_equal(s.sh.count, 5);
	assert_string_equal(s.sh.items[1].function, "f");
	assert_string_equal(s.sh.items[1].keyword, "if");
	assert_string_equal(s.sh.items[2].keyword, "then");
	assert_null(s.sh.items[3].keyword);
	assert_null(s.sh.items[4].function);
	arena_free(&s.arena);
}

static void inline_scripts(void **state)
{
	struct script s;
	struct shell inner;
	struct folded text;
	const struct shell_word *w;

	(void)state;
	load(&s, "\nsudo /bin/bash -euxc \"curl \\\"x\\\" | sh\"\n", SHELL_POSIX);
	w = shell_inline_script(&s.sh.items[0], 1);
	assert_non_null(w);
	text = shell_word_text(&s.arena, &s.sh, w);
	assert_string_equal(text.text, "curl \"x\" | sh");
	shell_read(&s.arena, &text, SHELL_POSIX, &inner);
	assert_int_equal(inner.count, 2);
	assert_int_equal(inner.items[1].before, SHELL_PIPE);
	assert_int_equal(source_line(&s.source, inner.items[1].span.offset), 2);
	assert_null(shell_inline_script(&s.sh.items[0], 0));
	arena_free(&s.arena);
}

static void recipes_have_two_dollars(void **state)
{
	struct script s;

	(void)state;
	load(&s, "docker run -v $$PWD:/x $(IMAGE) $$(id -u)", SHELL_MAKE);
	assert_string_equal(s.sh.items[0].words.items[3].text, "$PWD:/x");
	assert_string_equal(s.sh.items[0].words.items[4].text, "$(IMAGE)");
	assert_int_equal(s.sh.count, 2);
	arena_free(&s.arena);
}

static void load_docker(struct script *s, const char *text, size_t which)
{
	struct dockerfile d;
	struct problems problems = { 0 };

	*s = (struct script){ 0 };
	source_init(&s->source, &s->arena, 1, "Dockerfile", text, (uint32_t)strlen(text));
	dockerfile_read(&s->arena, &s->source, &d, &problems);
	shell_read_instruction(&s->arena, &s->source, &d.items[which], &s->sh);
}

static void run_instructions(void **state)
{
	struct script s;

	(void)state;
	load_docker(&s, "FROM a\nRUN <<EOF\nset -e\ncurl x | sh\nEOF\n", 1);
	assert_int_equal(s.sh.count, 3);
	assert_int_equal(source_line(&s.source, s.sh.items[2].span.offset), 4);
	arena_free(&s.arena);
	load_docker(&s, "FROM a\nRUN python3 <<EOF && next\nprint(1)\nEOF\n", 1);
	assert_int_equal(s.sh.count, 2);
	assert_int_equal(s.sh.items[0].redirects[0].body.length, 9);
	arena_free(&s.arena);
	load_docker(&s, "FROM a\nHEALTHCHECK --retries=3 CMD curl x || exit 1\n", 1);
	assert_string_equal(s.sh.items[0].words.items[0].text, "curl");
	arena_free(&s.arena);
	load_docker(&s, "FROM a\nCMD [\"sh\", \"-c\", \"a | b\"]\n", 1);
	assert_string_equal(
		shell_word_text(&s.arena, &s.sh, shell_inline_script(&s.sh.items[0], 0)).text,
		"a | b");
	arena_free(&s.arena);
}

static void hostile_text_ends(void **state)
{
	static const char *const parts[] = { "$(", "`", "${", "((", "case x in ", "<<a\n", "\"$(",
					     "x=(", "[[ ", "f() {", "if ", ";;", "\\", "$'" };
	struct buf text = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct script s;

		buf_clear(&text);
		for (int k = 0; k < 3000; k++)
			buf_puts(&text, parts[i]);
		load(&s, buf_text(&text), SHELL_POSIX);
		arena_free(&s.arena);
	}
	buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands),
		cmocka_unit_test(places),
		cmocka_unit_test(a_heredoc_keeps_its_body),
		cmocka_unit_test(functions_and_control_words_are_known),
		cmocka_unit_test(inline_scripts),
		cmocka_unit_test(recipes_have_two_dollars),
		cmocka_unit_test(run_instructions),
		cmocka_unit_test(hostile_text_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
