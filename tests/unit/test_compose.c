/* The effective model of Compose projects, read from files in memory.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/buf.h"
#include "src/formats/compose/compose.h"

struct memory_file {
	const char *path, *text;
};

struct loading {
	struct arena arena;
	const struct memory_file *files;
	size_t count;
	struct source sources[8];
	struct compose_project project;
};

static bool open_memory(void *ctx, const char *path, struct compose_file *out)
{
	struct loading *l = ctx;

	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->files[i].path, path) != 0)
			continue;
		source_init(&l->sources[i], &l->arena, (uint32_t)i + 1, path, l->files[i].text,
		            (uint32_t)strlen(l->files[i].text));
		out->source = &l->sources[i];
		return true;
	}
	return false;
}

/* Loads the first GIVEN of COUNT files. */
static void load(struct loading *l, const struct memory_file *files, size_t count, size_t given)
{
	const char *paths[8];
	struct compose_options options = { .files = paths,
		                           .file_count = given,
		                           .default_env = true,
		                           .open = open_memory,
		                           .ctx = l };

	*l = (struct loading){ .files = files, .count = count };
	for (size_t i = 0; i < given; i++)
		paths[i] = files[i].path;
	compose_load(&l->arena, &options, &l->project);
}

static const struct cvalue *service(const struct loading *l, const char *name)
{
	return cvalue_path(l->project.model, "services", name, NULL);
}

static uint32_t line_of(const struct loading *l, struct span span)
{
	const struct source *s = compose_source(&l->project, span);

	assert_non_null(s);
	return source_line(s, span.offset);
}

static void assert_text(const struct cvalue *v, const char *text)
{
	assert_non_null(cvalue_text(v));
	assert_string_equal(cvalue_text(v), text);
}

static void assert_refused(const struct memory_file *files, size_t count, size_t given,
                           const char *message)
{
	struct loading l;
	const char *error;

	load(&l, files, count, given);
	error = compose_error(&l.arena, &l.project,
	                      l.project.refused ? COMPOSE_REFUSED : COMPOSE_INCONSISTENT);
	assert_non_null(error);
	assert_non_null(strstr(error, message));
	arena_free(&l.arena);
}

static void override_replaces_scalars_and_appends_to_lists(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml", "services:\n  a:\n    image: x\n    privileged: true\n"
		                  "    cap_add: [CHOWN]\n    command: [run]\n" },
		{ "compose.override.yaml", "services:\n  a:\n    privileged: false\n"
		                           "    cap_add: [SYS_ADMIN]\n    command: [sleep]\n" },
	};
	struct loading l;
	const struct cvalue *privileged, *caps;

	(void)state;
	load(&l, files, 2, 2);
	assert_false(l.project.refused || l.project.inconsistent);
	privileged = cvalue_get(service(&l, "a"), "privileged");
	assert_text(privileged, "false");
	assert_int_equal(line_of(&l, privileged->span), 3);
	assert_non_null(privileged->former);
	assert_int_equal(line_of(&l, privileged->former->span), 4);
	assert_string_equal(compose_source(&l.project, privileged->former->span)->path,
	                    "compose.yaml");
	caps = cvalue_get(service(&l, "a"), "cap_add");
	assert_int_equal(cvalue_count(caps), 2);
	assert_text(cvalue_at(caps, 1), "SYS_ADMIN");
	assert_int_equal(cvalue_count(cvalue_get(service(&l, "a"), "command")), 1);
	arena_free(&l.arena);
}

static void tags_clear_and_replace(void **state)
{
	static const struct memory_file files[] = {
		{ "a.yaml", "services:\n  a:\n    image: x\n    ports: ['80:80']\n"
		            "    cap_drop: [ALL]\n    environment: {A: '1', B: '2'}\n" },
		{ "b.yaml", "services:\n  a:\n    ports: !override ['81:81']\n"
		            "    cap_drop: !reset []\n    environment: {A: !reset null}\n" },
	};
	struct loading l;

	(void)state;
	load(&l, files, 2, 2);
	assert_int_equal(cvalue_count(cvalue_get(service(&l, "a"), "ports")), 1);
	assert_text(cvalue_get(cvalue_at(cvalue_get(service(&l, "a"), "ports"), 0), "target"),
	            "81");
	assert_null(cvalue_get(service(&l, "a"), "cap_drop"));
	assert_null(cvalue_path(service(&l, "a"), "environment", "A", NULL));
	assert_text(cvalue_path(service(&l, "a"), "environment", "B", NULL), "2");
	arena_free(&l.arena);
}

static void merge_keys_cite_the_anchor_and_lose_to_own_keys(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml", "x-safe: &safe\n  security_opt: [no-new-privileges:true]\n"
		                  "  user: '1'\nservices:\n  a:\n    <<: *safe\n    image: x\n"
		                  "    user: '2'\n" },
	};
	struct loading l;
	const struct cvalue *option;

	(void)state;
	load(&l, files, 1, 1);
	assert_text(cvalue_get(service(&l, "a"), "user"), "2");
	option = cvalue_at(cvalue_get(service(&l, "a"), "security_opt"), 0);
	assert_text(option, "no-new-privileges:true");
	assert_int_equal(line_of(&l, option->span), 2);
	arena_free(&l.arena);
}

static void extends_moves_paths_and_keeps_the_chain(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml",
		  "services:\n  a:\n    extends: {file: base/common.yaml, service: b}\n"
		  "    image: mine\n" },
		{ "base/common.yaml",
		  "services:\n  b:\n    image: theirs\n    volumes: ['./d:/d']\n"
		  "    env_file: e.env\n" },
		{ "base/e.env", "TOKEN=abc\n" },
	};
	struct loading l;
	const struct cvalue *image;

	(void)state;
	load(&l, files, 3, 1);
	assert_false(l.project.refused || l.project.inconsistent);
	image = cvalue_get(service(&l, "a"), "image");
	assert_text(image, "mine");
	assert_string_equal(compose_source(&l.project, image->former->span)->path,
	                    "base/common.yaml");
	assert_text(cvalue_get(cvalue_at(cvalue_get(service(&l, "a"), "volumes"), 0), "source"),
	            "base/d");
	assert_true(cvalue_path(service(&l, "a"), "environment", "TOKEN", NULL)->external);
	arena_free(&l.arena);
}

static void include_has_its_own_directory_and_variables(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml", "include: [sub/compose.yaml]\nservices:\n  a:\n    image: x\n"
		                  "    depends_on: [b]\n" },
		{ "sub/compose.yaml",
		  "services:\n  b:\n    image: 'y:${TAG:-none}'\n    build: .\n" },
		{ "sub/.env", "TAG=seven\n" },
	};
	struct loading l;

	(void)state;
	load(&l, files, 3, 1);
	assert_false(l.project.refused || l.project.inconsistent);
	assert_text(cvalue_get(service(&l, "b"), "image"), "y:seven");
	assert_text(cvalue_path(service(&l, "b"), "build", "context", NULL), "sub");
	arena_free(&l.arena);
}

static void variables_say_where_a_value_comes_from(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml", "services:\n  a:\n    image: 'x:${TAG}'\n    user: '${U:-root}'\n"
		                  "    hostname: '${H}'\n    domainname: 'a$$b'\n" },
		{ ".env", "H=here\n" },
	};
	struct loading l;
	const struct cvalue *v;

	(void)state;
	load(&l, files, 2, 1);
	v = cvalue_get(service(&l, "a"), "image");
	assert_true(v->unresolved);
	assert_string_equal(v->raw, "x:${TAG}");
	assert_string_equal(v->variable, "TAG");
	v = cvalue_get(service(&l, "a"), "user");
	assert_text(v, "root");
	assert_true(v->defaulted && !v->unresolved);
	v = cvalue_get(service(&l, "a"), "hostname");
	assert_text(v, "here");
	assert_int_equal(line_of(&l, v->origin), 1);
	assert_text(cvalue_get(service(&l, "a"), "domainname"), "a$b");
	arena_free(&l.arena);
}

static void refusals_name_file_and_line(void **state)
{
	(void)state;
	assert_refused((const struct memory_file[]){ { "c.yaml", "services:\n  a: busybox\n" } }, 1,
	               1, "c.yaml:2: services.a must be a mapping");
	assert_refused(
	    (const struct memory_file[]){
	        { "c.yaml", "services:\n  a:\n    image: x\n    depends_on: [zot]\n" } },
	    1, 1, "c.yaml:4: service \"a\" depends on undefined service \"zot\"");
	assert_refused(
	    (const struct memory_file[]){
	        { "c.yaml", "services:\n  a:\n    image: x\n  a:\n    image: y\n" } },
	    1, 1, "c.yaml:4: ");
	assert_refused(
	    (const struct memory_file[]){
	        { "c.yaml", "services:\n  a: {extends: b}\n  b: {extends: a}\n" } },
	    1, 1, "circular reference");
	assert_refused((const struct memory_file[]){ { "c.yaml", "include: [d.yaml]\n" },
	                                             { "d.yaml", "include: [c.yaml]\n" } },
	               2, 1, "include cycle");
	assert_refused((const struct memory_file[]){ { "c.yaml", "x: &a\n  b: *a\n" } }, 1, 1,
	               "c.yaml:2: alias");
	assert_refused(
	    (const struct memory_file[]){
	        { "c.yaml", "services:\n  a:\n    image: x\n    ports: ['1:80/xyz']\n" } },
	    1, 1, "c.yaml:4: services.a.ports.0: invalid proto: xyz");
}

static void what_compose_refuses_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "services:\n  a b: {image: x}\n", "c.yaml:2: services: additional property" },
		{ "services:\n", "c.yaml:1: services must be a mapping" },
		{ "services:\n  a:\n    image: x\n    ports:\n", "c.yaml:4: services.a.ports" },
		{ "services:\n  a:\n    image: x\n    command: [run, 5]\n",
		  "c.yaml:4: services.a.command.1 must be a string" },
		{ "services:\n  a:\n    image: x\n    cap_add: [1]\n",
		  "c.yaml:4: services.a.cap_add.0 must be a string" },
		{ "services:\n  a:\n    image: x\n    environment: [1]\n",
		  "c.yaml:4: services.a.environment.0 must be a string" },
		{ "services:\n  a:\n    image: x\n    post_start:\n      - user: root\n",
		  "c.yaml:5: services.a.post_start.0: missing property 'command'" },
		{ "services:\n  a:\n    image: x\n    oom_score_adj: 2000\n",
		  "c.yaml:4: services.a.oom_score_adj must be between" },
		{ "services:\n  a:\n    image: x\n    env_file: [{path: e, format: ini}]\n",
		  "c.yaml:4: unsupported env_file format" },
		{ "include:\n  - gone.yaml\n", "c.yaml:2: no file gone.yaml" },
		{ "# nothing\n", "c.yaml:1: empty compose file" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct memory_file file = { "c.yaml", cases[i].text };

		assert_refused(&file, 1, 1, cases[i].message);
	}
}

static void what_may_stay_empty_is_accepted(void **state)
{
	static const struct memory_file files[] = {
		{ "c.yaml", "services:\n  a:\n    image: x\n    command:\n    entrypoint:\n"
		            "    deploy:\n    develop:\n    pid:\n    environment: {A: }\n"
		            "    networks: {n: }\n    logging: {driver: d, options: {o: }}\n"
		            "    expose: [80]\n    group_add: [5]\n"
		            "networks: {n: }\nvolumes: {v: }\n" },
	};
	struct loading l;

	(void)state;
	load(&l, files, 1, 1);
	assert_null(compose_error(&l.arena, &l.project, COMPOSE_REFUSED));
	assert_null(compose_error(&l.arena, &l.project, COMPOSE_INCONSISTENT));
	arena_free(&l.arena);
}

static void raw_env_files_are_taken_as_they_stand(void **state)
{
	static const struct memory_file files[] = {
		{ "c.yaml", "services:\n  a:\n    image: x\n    env_file:\n"
		            "      - {path: r.env, format: raw}\n      - p.env\n" },
		{ "r.env", "# no\nA=\"${B}\" # kept\nC\n" },
		{ "p.env", "D=\"${E:-f}\" # dropped\n" },
	};
	struct loading l;
	const struct cvalue *environment;

	(void)state;
	load(&l, files, 3, 1);
	environment = cvalue_get(service(&l, "a"), "environment");
	assert_text(cvalue_get(environment, "A"), "\"${B}\" # kept");
	assert_text(cvalue_get(environment, "D"), "f");
	assert_null(cvalue_get(environment, "C"));
	arena_free(&l.arena);
}

static void the_project_name_is_a_variable(void **state)
{
	static const struct memory_file files[] = {
		{ "c.yaml", "name: My-${X:-app}\nservices:\n  a: {image: 'r/${COMPOSE_PROJECT_NAME}'}\n"
		            "volumes: {v: }\n" },
	};
	struct loading l;

	(void)state;
	load(&l, files, 1, 1);
	assert_text(cvalue_get(service(&l, "a"), "image"), "r/my-app");
	assert_text(cvalue_path(l.project.model, "volumes", "v", "name", NULL), "my-app_v");
	arena_free(&l.arena);
}

static void only_the_extended_service_is_checked(void **state)
{
	static const struct memory_file files[] = {
		{ "c.yaml", "services:\n  a: {extends: {file: d.yaml, service: good}}\n" },
		{ "d.yaml", "services:\n  good: {image: x}\n  bad: {image: 5}\n" },
		{ "e.yaml", "services:\n  a: {extends: {file: d.yaml, service: bad}}\n" },
	};
	struct loading l;

	(void)state;
	load(&l, files, 2, 1);
	assert_false(l.project.refused || l.project.inconsistent);
	arena_free(&l.arena);
	assert_refused((const struct memory_file[]){ files[2], files[1] }, 2, 1,
	               "d.yaml:3: services.bad.image must be a string");
}

static void the_chain_of_a_replaced_list_item_and_of_a_variable(void **state)
{
	static const struct memory_file files[] = {
		{ "a.yaml", "services:\n  a:\n    image: x:${V}\n    volumes: ['./a:/d']\n" },
		{ "b.yaml", "services:\n  a:\n    volumes: ['./b:/d:ro']\n" },
		{ ".env", "# v\nV=1\n" },
	};
	struct loading l;
	struct buf out = { 0 };

	(void)state;
	load(&l, files, 3, 2);
	compose_to_json(&l.arena, &l.project, &out);
	assert_non_null(strstr(buf_text(&out), "\"services.a.image\":\".env:2 → a.yaml:3\""));
	assert_non_null(
	    strstr(buf_text(&out), "\"services.a.volumes.0.source\":\"a.yaml:4 → b.yaml:3\""));
	buf_free(&out);
	arena_free(&l.arena);
}

static void expansion_is_bounded(void **state)
{
	struct loading l;
	struct buf text = { 0 };
	struct memory_file file = { "c.yaml", NULL };

	(void)state;
	buf_puts(&text, "x-0: &a0 [k]\n");
	for (int i = 1; i < 12; i++)
		buf_printf(&text, "x-%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i,
		           i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	buf_puts(&text, "services:\n  a:\n    image: x\n    ports: ['1-65535:1-65535']\n");
	file.text = buf_text(&text);
	load(&l, &file, 1, 1);
	assert_false(l.project.refused);
	assert_text(cvalue_get(service(&l, "a"), "image"), "x");
	assert_int_equal(cvalue_count(cvalue_get(service(&l, "a"), "ports")), 1);
	assert_true(l.arena.used < 64u * 1024 * 1024);
	arena_free(&l.arena);
	buf_free(&text);
}

static void json_holds_no_secret(void **state)
{
	static const struct memory_file files[] = {
		{ "compose.yaml", "services:\n  a:\n    image: x\n    env_file: s.env\n"
		                  "    environment:\n      API_KEY: hunter2hunter2\n"
		                  "      URL: postgres://u:opensesame@db/x\n      MODE: fast\n" },
		{ "s.env", "OTHER=letmein99\n" },
	};
	struct loading l;
	struct buf json = { 0 };

	(void)state;
	load(&l, files, 2, 1);
	compose_to_json(&l.arena, &l.project, &json);
	assert_non_null(strstr(buf_text(&json), "\"API_KEY\":\"<redacted>\""));
	assert_non_null(strstr(buf_text(&json), "\"MODE\":\"fast\""));
	assert_null(strstr(buf_text(&json), "hunter2"));
	assert_null(strstr(buf_text(&json), "opensesame"));
	assert_null(strstr(buf_text(&json), "letmein"));
	buf_free(&json);
	arena_free(&l.arena);
}

static void paths_join_and_relate(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_string_equal(compose_join(&a, "a/b", "../c/./d"), "a/c/d");
	assert_string_equal(compose_join(&a, "a", "../../c"), "../c");
	assert_string_equal(compose_join(&a, "a", "/x//y"), "/x/y");
	assert_string_equal(compose_relative(&a, "a/b", "a/c"), "../c");
	assert_string_equal(compose_relative(&a, "", "a/c"), "a/c");
	assert_string_equal(compose_relative(&a, "a", "a"), ".");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(override_replaces_scalars_and_appends_to_lists),
		cmocka_unit_test(tags_clear_and_replace),
		cmocka_unit_test(merge_keys_cite_the_anchor_and_lose_to_own_keys),
		cmocka_unit_test(extends_moves_paths_and_keeps_the_chain),
		cmocka_unit_test(include_has_its_own_directory_and_variables),
		cmocka_unit_test(variables_say_where_a_value_comes_from),
		cmocka_unit_test(refusals_name_file_and_line),
		cmocka_unit_test(what_compose_refuses_is_told_with_its_line),
		cmocka_unit_test(what_may_stay_empty_is_accepted),
		cmocka_unit_test(raw_env_files_are_taken_as_they_stand),
		cmocka_unit_test(the_project_name_is_a_variable),
		cmocka_unit_test(only_the_extended_service_is_checked),
		cmocka_unit_test(the_chain_of_a_replaced_list_item_and_of_a_variable),
		cmocka_unit_test(expansion_is_bounded),
		cmocka_unit_test(json_holds_no_secret),
		cmocka_unit_test(paths_join_and_relate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
