/* docker run command lines: options, image, command, and what cannot be known.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/docker_run.h"

struct line {
	struct arena arena;
	struct source source;
	struct shell sh;
	struct docker_run run;
	bool found;
};

static void load(struct line *l, const char *text)
{
	struct folded f;

	*l = (struct line){ 0 };
	source_init(&l->source, &l->arena, 1, "x.sh", text, (uint32_t)strlen(text));
	f = folded_from(&l->arena, &l->source, (struct span){ 1, 0, (uint32_t)strlen(text) });
	shell_read(&l->arena, &f, SHELL_POSIX, &l->sh);
	l->found = docker_run_from_shell(&l->arena, &l->sh.items[0], 0, &l->run);
}

static const struct {
	const char *text, *image, *command, *options;
} cases[] = {
	{ "docker run -it --rm -v /a:/b alpine sh -c --privileged", "alpine", "sh",
	  "interactive=true tty=true rm=true volume=/a:/b " },
	{ "docker run --privileged=false -p80:80 -e=X=1 -itv a:b img", "img", NULL,
	  "privileged=false publish=80:80 env=X=1 interactive=true tty=true volume=a:b " },
	{ "/usr/bin/podman --remote -c x container run --uidmap 0:1:2 --net host i", "i", NULL,
	  "uidmap=0:1:2 network=host " },
	{ "nerdctl -n k8s.io create --pidfile p i", "i", NULL, "pidfile=p " },
	{ "docker exec -u 0 -it box bash", "box", "bash", "user=0 interactive=true tty=true " },
	{ "docker -H tcp://x:1 run -- img a", "img", "a", "" },
	{ "docker run --new-flag img", "img", NULL, "new-flag=true? " },
	{ "docker run $DOCKER_ARGS --rm \"$IMAGE\" x", "$IMAGE", "x", "rm=true " },
	{ "docker run \"${args[@]}\" img", "img", NULL, "" },
	{ "docker run $IMAGE --flag", "$IMAGE", "--flag", "" },
	{ "docker run --name", NULL, NULL, "name=! " },
};

static void describe(const struct docker_run *run, struct buf *out)
{
	for (size_t i = 0; i < run->option_count; i++)
		buf_printf(out, "%s=%s%s%s ", run->options[i].name, run->options[i].value,
			   run->options[i].known ? "" : "?", run->options[i].missing ? "!" : "");
}

static bool same(const char *want, const char *got)
{
	return want && got ? strcmp(want, got) == 0 : want == got;
}

static void lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct line l;
		struct buf got = { 0 };
		const char *command;

		load(&l, cases[i].text);
		assert_true(l.found);
		command = l.run.command_count ? l.run.command[0].text : NULL;
		describe(&l.run, &got);
		if (!same(cases[i].image, l.run.image.text) || !same(cases[i].command, command) ||
		    !same(cases[i].options, buf_text(&got)))
			fail_msg("%s: image %s, options %s", cases[i].text, l.run.image.text,
				 buf_text(&got));
		buf_free(&got);
		arena_free(&l.arena);
	}
}

static void other_commands_are_left_alone(void **state)
{
	static const char *const texts[] = { "docker build .", "docker compose run x", "runc run x",
					     "docker", "docker ps" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct line l;

		load(&l, texts[i]);
		assert_false(l.found);
		arena_free(&l.arena);
	}
}

static void values_have_places(void **state)
{
	struct line l;
	const struct docker_option *o;

	(void)state;
	load(&l, "docker run \\\n  --cap-add=SYS_ADMIN \\\n  -v \"$PWD:/w\" $EXTRA_OPTS img");
	o = docker_run_option(&l.run, "cap-add");
	assert_int_equal(source_line(&l.source, o->value_span.offset), 2);
	assert_int_equal(o->value_span.length, 9);
	o = docker_run_option(&l.run, "volume");
	assert_int_equal(source_line(&l.source, o->value_span.offset), 3);
	assert_false(o->literal);
	assert_int_equal(l.run.opaque_count, 1);
	arena_free(&l.arena);
}

static void json_keeps_secrets_back(void **state)
{
	struct line l;
	struct buf out = { 0 };

	(void)state;
	load(&l, "docker run -e TOKEN=hunter2 img");
	docker_run_to_json(&out, &l.run);
	assert_null(strstr(out.bytes, "hunter2"));
	assert_non_null(strstr(out.bytes, "\"value\":\"TOKEN\""));
	buf_free(&out);
	arena_free(&l.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(other_commands_are_left_alone),
		cmocka_unit_test(values_have_places),
		cmocka_unit_test(json_keeps_secrets_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
