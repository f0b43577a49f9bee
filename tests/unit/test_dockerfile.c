/* Dockerfile reading: instructions, places, heredocs, templates, problems.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/dockerfile.h"
#include "src/syntax/dockerfile_scope.h"

struct file {
	struct arena arena;
	struct source source;
	struct dockerfile d;
	struct problems problems;
};

static void load(struct file *f, const char *text)
{
	*f = (struct file){ 0 };
	source_init(&f->source, &f->arena, 1, "Dockerfile", text, (uint32_t)strlen(text));
	dockerfile_read(&f->arena, &f->source, &f->d, &f->problems);
}

static void continuation_keeps_the_lines(void **state)
{
	struct file f;
	const struct dockerfile_instruction *run;
	const char *at;

	(void)state;
	load(&f, "FROM a\nRUN one \\\n  # note\n\n  && curl x \\\n  | sh\nUSER b\n");
	assert_int_equal(f.d.count, 3);
	run = &f.d.items[1];
	assert_string_equal(run->body.text, "one   && curl x   | sh");
	at = strstr(run->body.text, "curl");
	assert_int_equal(
		source_line(&f.source, folded_offset(&run->body, (uint32_t)(at - run->body.text))),
		5);
	assert_int_equal(run->first_line, 2);
	assert_int_equal(run->last_line, 6);
	assert_int_equal(f.d.items[2].first_line, 7);
	assert_int_equal(f.problems.count, 0);
	arena_free(&f.arena);
}

static void stages_know_their_parents(void **state)
{
	struct file f;

	(void)state;
	load(&f, "ARG V=1\nFROM alpine:$V AS Base\nFROM base as build\nfrom --platform=linux/arm64 scratch\n");
	assert_int_equal(f.d.stage_count, 3);
	assert_string_equal(f.d.stages[0].name, "base");
	assert_int_equal(f.d.stages[1].parent, 0);
	assert_int_equal(f.d.stages[2].parent, -1);
	assert_string_equal(f.d.stages[2].platform, "linux/arm64");
	assert_int_equal(dockerfile_find_stage(&f.d, "BUILD"), 1);
	assert_int_equal(dockerfile_find_stage(&f.d, "0"), 0);
	assert_int_equal(dockerfile_find_stage(&f.d, NULL), 2);
	assert_int_equal(dockerfile_find_stage(&f.d, "none"), -1);
	assert_int_equal(f.problems.count, 0);
	arena_free(&f.arena);
}

static void flags_have_values_and_parts(void **state)
{
	struct file f;
	const struct dockerfile_flag *mount;

	(void)state;
	load(&f, "FROM a\nRUN --mount=type=secret,id=npm,required --network=none \"--x\" y\n");
	mount = dockerfile_flag(&f.d.items[1], "mount");
	assert_non_null(mount);
	assert_string_equal(dockerfile_flag_part(&f.arena, mount, "type"), "secret");
	assert_string_equal(dockerfile_flag_part(&f.arena, mount, "required"), "");
	assert_null(dockerfile_flag_part(&f.arena, mount, "target"));
	assert_int_equal(f.d.items[1].flag_count, 2);
	assert_string_equal(f.d.items[1].body.text, "\"--x\" y");
	arena_free(&f.arena);
}

static void exec_form_has_a_place_for_each_word(void **state)
{
	struct file f;
	const struct dockerfile_instruction *cmd;

	(void)state;
	load(&f, "FROM a\nENTRYPOINT [\"/b\", \\\n  \"x\\u0041\"]\nRUN [ -f x ] && y\nRUN [\"a\"] && b\n");
	cmd = &f.d.items[1];
	assert_int_equal(cmd->form, DOCKERFILE_EXEC);
	assert_string_equal(cmd->args[1].text, "xA");
	assert_int_equal(source_line(&f.source, cmd->args[1].span.offset), 3);
	assert_int_equal(f.d.items[2].form, DOCKERFILE_LINE);
	assert_int_equal(f.d.items[3].form, DOCKERFILE_LINE);
	arena_free(&f.arena);
}

static void onbuild_holds_an_instruction(void **state)
{
	struct file f;

	(void)state;
	load(&f, "FROM a\nONBUILD RUN <<EOF\necho hi\nEOF\nUSER x\n");
	assert_int_equal(f.d.count, 3);
	assert_int_equal(f.d.items[1].trigger->kind, DOCKERFILE_RUN);
	assert_int_equal(f.d.items[1].trigger->heredoc_count, 1);
	assert_int_equal(f.d.items[1].trigger->heredocs[0].content.length, 8);
	arena_free(&f.arena);
}

static void windows_escape(void **state)
{
	struct file f;

	(void)state;
	load(&f, "# escape=`\nFROM a\nRUN dir C:\\ `\n  /w\nCOPY a C:\\\nUSER b\n");
	assert_int_equal(f.d.count, 4);
	assert_string_equal(f.d.items[1].body.text, "dir C:\\   /w");
	assert_string_equal(f.d.items[2].args[1].text, "C:\\");
	arena_free(&f.arena);
}

static void templates_leave_the_rest_readable(void **state)
{
	struct file f;

	(void)state;
	load(&f, "FROM {{ base_image }}\n{% if x %}\nUSER root\n{% endif %}\n{{ INSTALL }}\n"
		 "RUN a \\\n{% if y %}\n && b \\\n{% endif %}\n && c\n@EXTRA@\nCMD [\"x\"]\n");
	assert_string_equal(f.d.stages[0].base, "{{ base_image }}");
	assert_int_equal(f.d.items[1].kind, DOCKERFILE_TEMPLATE);
	assert_int_equal(f.d.items[2].kind, DOCKERFILE_USER);
	assert_int_equal(f.d.items[4].kind, DOCKERFILE_TEMPLATE);
	assert_string_equal(f.d.items[5].body.text, "a  && b  && c");
	assert_true(f.d.items[5].templated);
	assert_int_equal(f.d.items[6].kind, DOCKERFILE_TEMPLATE);
	assert_int_equal(f.d.items[7].form, DOCKERFILE_EXEC);
	assert_int_equal(f.problems.count, 0);
	arena_free(&f.arena);
}

static void mistakes_are_problems(void **state)
{
	static const char *const texts[] = {
		"", "# only\n", "RUN x\n", "RUN x\nFROM a\n", "FROM a\nFOO b\n", "FROM a\nUSER\n", "FROM a b\n",
		"FROM a\nENV X\n", "FROM a\nCOPY x\n", "FROM a\nRUN --mout=x y\n",
		"FROM a\nRUN <<EOF\nls\n", "FROM a\nSHELL bash\n", "FROM a\nHEALTHCHECK CMD\n",
		"FROM a\nONBUILD ONBUILD RUN x\n", "# escape=x\nFROM a\n", "FROM a as 1x\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct file f;

		load(&f, texts[i]);
		if (!f.d.refused || !f.problems.count)
			fail_msg("accepted: %s", texts[i]);
		arena_free(&f.arena);
	}
}

static void scope_follows_the_stages(void **state)
{
	struct file f;
	struct dockerfile_scope scope;
	struct expansion e;

	(void)state;
	load(&f, "ARG V=3\nFROM a:${V} AS x\nARG V\nENV P=/p Q=$P\nFROM x\nUSER $P:$V:${W:-w}:$Q\nUSER $NO\n");
	dockerfile_scope_init(&f.arena, &scope, &f.d, NULL);
	for (size_t i = 0; i < f.d.count; i++) {
		const struct dockerfile_instruction *in = &f.d.items[i];

		if (in->kind == DOCKERFILE_FROM && i == 1) {
			dockerfile_scope_expand(&f.arena, &scope, in, in->args[0].text, &e);
			assert_string_equal(e.text, "a:3");
			assert_false(e.unresolved);
		}
		if (in->kind == DOCKERFILE_USER) {
			dockerfile_scope_expand(&f.arena, &scope, in, in->args[0].text, &e);
			assert_string_equal(e.text, i == 5 ? "/p:3:w:" : "");
			assert_true(e.unresolved);
		}
		dockerfile_scope_apply(&f.arena, &scope, in);
	}
	arena_free(&f.arena);
}

static void json_is_whole(void **state)
{
	struct file f;
	struct buf out = { 0 };

	(void)state;
	load(&f, "FROM a\nENV SECRET=hunter2\nRUN <<E\nx\nE\n");
	dockerfile_to_json(&out, &f.source, &f.d, &f.problems);
	assert_non_null(strstr(out.bytes, "\"name\":\"ENV\",\"line\":2,\"end_line\":2"));
	assert_null(strstr(out.bytes, "hunter2"));
	assert_non_null(strstr(out.bytes, "\"content\":\"x\\n\""));
	buf_free(&out);
	arena_free(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(continuation_keeps_the_lines),
		cmocka_unit_test(stages_know_their_parents),
		cmocka_unit_test(flags_have_values_and_parts),
		cmocka_unit_test(exec_form_has_a_place_for_each_word),
		cmocka_unit_test(onbuild_holds_an_instruction),
		cmocka_unit_test(windows_escape),
		cmocka_unit_test(templates_leave_the_rest_readable),
		cmocka_unit_test(mistakes_are_problems),
		cmocka_unit_test(scope_follows_the_stages),
		cmocka_unit_test(json_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
