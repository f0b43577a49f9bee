/* Which Compose files of a tree make one stack, and what rows and facts come of it.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/folder.h"

#include "model/finding.h"
#include "src/load.h"

struct tree {
	char root[64];
	struct snapshot snapshot;
};

static void tree_begin(struct tree *t)
{
	*t = (struct tree){ .root = "/tmp/boundwalk-stacks-XXXXXX" };
	assert_non_null(mkdtemp(t->root));
}

static void tree_add(struct tree *t, const char *name, const char *text)
{
	folder_put(t->root, name, text, strlen(text));
}

static void tree_load(struct tree *t, struct scope scope)
{
	struct load_options options = { .path = t->root, .scope = scope };
	struct buf why = { 0 };

	assert_true(load_all(&options, &t->snapshot, &why));
	buf_free(&why);
}

static void tree_end(struct tree *t)
{
	snapshot_free(&t->snapshot);
	folder_remove(t->root);
}

static const struct row *row(const struct tree *t, const char *key)
{
	const struct row *r = snapshot_row_by_key(&t->snapshot, key);

	assert_non_null(r);
	return r;
}

static const struct fact *first(const struct row *r, enum fact_kind kind)
{
	const struct fact *f = row_first(r, kind, LAYER_DECLARED);

	assert_non_null(f);
	return f;
}

static void the_loaded_pair_is_one_model(void **state)
{
	struct tree t;
	const struct fact *f;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml", "services:\n  a:\n    image: x\n    read_only: true\n");
	tree_add(&t, "compose.override.yaml", "services:\n  a:\n    read_only: false\n");
	tree_load(&t, (struct scope){ 0 });
	assert_int_equal(t.snapshot.rows.count, 1);
	f = first(row(&t, "compose.yaml#service//a"), FACT_READ_ONLY_ROOT);
	assert_string_equal(f->value, "false");
	assert_int_equal(f->provenance, PROVENANCE_OVERRIDDEN);
	assert_string_equal(snapshot_path(&t.snapshot, f->span), "compose.override.yaml");
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 3);
	assert_int_equal(f->via_count, 1);
	assert_int_equal(snapshot_line(&t.snapshot, f->via[0].span), 4);
	tree_end(&t);
}

static void an_overlay_is_a_conditional_row_and_a_variant(void **state)
{
	struct tree t;
	const struct row *base, *over;
	const struct fact *variant;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "docker-compose.yml",
		 "services:\n  a:\n    image: x\n    cap_drop: [ALL]\n");
	tree_add(&t, "docker-compose.debug.yml", "services:\n  a:\n    cap_add: [SYS_PTRACE]\n");
	tree_add(&t, "Makefile",
		 "debug:\n\tdocker compose -f docker-compose.yml -f docker-compose.debug.yml up\n");
	tree_load(&t, (struct scope){ 0 });
	base = row(&t, "docker-compose.yml#service//a");
	over = row(&t, "docker-compose.debug.yml#service//a");
	assert_int_equal(base->activity, ROW_ACTIVE);
	assert_null(row_first(base, FACT_CAP_ADD, LAYER_DECLARED));
	assert_int_equal(over->activity, ROW_CONDITIONAL);
	assert_string_equal(first(over, FACT_CAP_DROP)->value, "ALL");
	assert_string_equal(first(over, FACT_CAP_ADD)->value, "SYS_PTRACE");
	variant = first(base, FACT_VARIANT);
	assert_string_equal(variant->value, "docker-compose.debug.yml");
	assert_true(fact_attribute_is(variant, "changes", "cap_add"));
	assert_string_equal(snapshot_path(&t.snapshot, variant->via[0].span), "Makefile");
	assert_int_equal(snapshot_line(&t.snapshot, variant->via[0].span), 2);
	tree_end(&t);
}

static void named_files_are_the_stack(void **state)
{
	static const char *files[] = { "docker-compose.yml", "docker-compose.debug.yml" };
	struct tree t;
	struct scope scope = { .compose_files = { files, 2, 2 } };
	const struct row *r;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "docker-compose.yml", "services:\n  a:\n    image: x\n");
	tree_add(&t, "docker-compose.debug.yml", "services:\n  a:\n    privileged: true\n");
	tree_load(&t, scope);
	assert_int_equal(t.snapshot.rows.count, 1);
	r = row(&t, "docker-compose.yml#service//a");
	assert_int_equal(r->activity, ROW_ACTIVE);
	assert_string_equal(first(r, FACT_PRIVILEGED)->value, "true");
	tree_end(&t);
}

static void profiles_make_rows_conditional_until_they_are_named(void **state)
{
	static const char *profiles[] = { "debug" };
	struct tree t;
	struct scope scope = { .profiles = { profiles, 1, 1 } };

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml", "services:\n  a: {image: x, profiles: [debug]}\n");
	tree_load(&t, (struct scope){ 0 });
	assert_int_equal(row(&t, "compose.yaml#service//a")->activity, ROW_CONDITIONAL);
	assert_string_equal(row(&t, "compose.yaml#service//a")->activity_reason,
			    "only with profile debug");
	snapshot_free(&t.snapshot);
	tree_load(&t, scope);
	assert_int_equal(row(&t, "compose.yaml#service//a")->activity, ROW_ACTIVE);
	tree_end(&t);
}

static void unknown_variables_stay_unknown_and_defaults_are_said(void **state)
{
	struct tree t;
	const struct row *r;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  a:\n    image: x\n    privileged: ${P}\n    user: ${U:-root}\n"
		 "    volumes: ['${HOME}/.ssh:/k', '${D}/x:/x']\n    environment:\n"
		 "      API_KEY: ${API_KEY}\n      TOKEN: ${TOKEN:-s3cretvalue99}\n");
	tree_load(&t, (struct scope){ 0 });
	r = row(&t, "compose.yaml#service//a");
	assert_int_equal(first(r, FACT_PRIVILEGED)->provenance, PROVENANCE_UNRESOLVED);
	assert_int_equal(fact_truth(first(r, FACT_PRIVILEGED)), TRI_UNKNOWN);
	assert_string_equal(first(r, FACT_USER)->value, "root");
	assert_non_null(first(r, FACT_USER)->note);
	assert_true(fact_attribute_is(first(r, FACT_MOUNT), "source", "~/.ssh"));
	assert_int_equal(row_next(r, first(r, FACT_MOUNT))->provenance, PROVENANCE_UNRESOLVED);
	assert_true(fact_attribute_is(first(r, FACT_ENV), "class", "reference"));
	assert_true(fact_attribute_is(row_next(r, first(r, FACT_ENV)), "class", "default"));
	tree_end(&t);
}

static void an_inline_dockerfile_is_read_at_its_lines(void **state)
{
	struct tree t;
	const struct fact *f;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  a:\n    build:\n      context: .\n      dockerfile_inline: |\n"
		 "        # syntax=docker/dockerfile:1\n        FROM debian:12\n\n"
		 "        RUN <<EOF\n        chmod 4755 /bin/x\n        EOF\n        USER root\n");
	tree_load(&t, (struct scope){ 0 });
	f = first(row(&t, "compose.yaml#stage/a/0"), FACT_BASE_IMAGE);
	assert_string_equal(f->value, "debian:12");
	assert_string_equal(snapshot_path(&t.snapshot, f->span), "compose.yaml");
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 7);
	assert_int_equal(snapshot_column(&t.snapshot, f->span), 14);
	f = first(row(&t, "compose.yaml#stage/a/0"), FACT_SETUID);
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 10);
	f = first(row(&t, "compose.yaml#service//a"), FACT_USER);
	assert_string_equal(f->value, "root");
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 12);
	tree_end(&t);
}

static void build_arguments_choose_base_and_user(void **state)
{
	struct tree t;
	const struct fact *f;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  a: {build: {context: ., args: {BASE: 'x:1', UID: '0'}}}\n"
		 "  b:\n    build:\n      context: .\n      args: [BASE=y:2]\n");
	tree_add(&t, "Dockerfile",
		 "ARG BASE=z:3\nARG UID=1000\nFROM $BASE\nARG UID\nUSER $UID\n");
	tree_load(&t, (struct scope){ 0 });
	f = first(row(&t, "Dockerfile#stage//0"), FACT_BASE_IMAGE);
	assert_string_equal(f->value, "x:1");
	f = row_next(row(&t, "Dockerfile#stage//0"), f);
	assert_non_null(f);
	assert_string_equal(f->value, "y:2");
	assert_int_equal(f->via_count, 2);
	assert_string_equal(snapshot_path(&t.snapshot, f->via[1].span), "compose.yaml");
	assert_int_equal(snapshot_line(&t.snapshot, f->via[1].span), 6);
	assert_string_equal(first(row(&t, "compose.yaml#service//a"), FACT_USER)->value, "0");
	assert_string_equal(first(row(&t, "compose.yaml#service//b"), FACT_USER)->value, "1000");
	tree_end(&t);
}

static void watch_models_and_volumes_from_are_facts(void **state)
{
	struct tree t;
	const struct row *a;
	const struct fact *f;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  a:\n    image: x\n    volumes_from: ['b:ro']\n    models: [my-llm]\n"
		 "    develop: {watch: [{path: src, action: sync, target: /app}]}\n"
		 "  b: {image: y, volumes_from: [c]}\n"
		 "  c: {image: z, volumes: ['/var/run/docker.sock:/s']}\n"
		 "models: {my-llm: {model: ai/m}}\n");
	tree_load(&t, (struct scope){ 0 });
	a = row(&t, "compose.yaml#service//a");
	f = first(a, FACT_SYNC);
	assert_string_equal(f->value, "./src:/app");
	assert_true(fact_attribute_is(f, "project", "true"));
	f = first(a, FACT_AI_MODEL);
	assert_true(fact_attribute_is(f, "variable", "MY_LLM_URL"));
	f = first(a, FACT_MOUNT);
	assert_true(fact_attribute_is(f, "source", "/var/run/docker.sock"));
	assert_true(fact_attribute_is(f, "read_only", "true"));
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 8);
	assert_int_equal(f->via_count, 2);
	tree_end(&t);
}

static void mounted_texts_are_followed_at_their_lines(void **state)
{
	struct tree t;
	const struct fact *f;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  a:\n    image: x\n    entrypoint: [sh, -c, 'exec /s.sh now']\n"
		 "    configs: [{source: c, target: /s.sh}]\n"
		 "configs:\n  c:\n    content: |\n      #!/bin/sh\n      cat <<E\n      x\n      E\n"
		 "      exec gosu app run\n");
	tree_add(&t, "pod.yaml",
		 "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  go.sh: |\n"
		 "    exec su-exec app run\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
		 "spec:\n  volumes: [{name: v, configMap: {name: m}}]\n  containers:\n"
		 "    - name: a\n      image: x\n      command: [/m/go.sh]\n"
		 "      volumeMounts: [{name: v, mountPath: /m}]\n");
	tree_load(&t, (struct scope){ 0 });
	f = first(row(&t, "compose.yaml#service//a"), FACT_PRIVILEGE_DROP);
	assert_string_equal(snapshot_path(&t.snapshot, f->span), "compose.yaml");
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 13);
	f = first(row(&t, "pod.yaml#Pod//p/a"), FACT_PRIVILEGE_DROP);
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 6);
	tree_end(&t);
}

static void programs_are_followed_where_their_words_are_written(void **state)
{
	struct tree t;
	const struct fact *f;
	const struct row *r;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "Dockerfile", "FROM x\nCOPY e.py s.mjs /\nENTRYPOINT [\"python3\", \"/e.py\"]\n");
	tree_add(&t, "e.py",
		 "import os, subprocess\n'''os.system(\"sudo no\")'''  # os.system('sudo no')\n"
		 "subprocess.run([\"iptables\", \"-P\", \"OUTPUT\", \"DROP\"], check=True)\n"
		 "subprocess.run(cmd)\n"
		 "subprocess.check_call([\"node\", \"/s.mjs\"])\n"
		 "os.execvp('gosu', ['gosu', 'app', 'claude', '--dangerously-skip-permissions'])\n");
	tree_add(&t, "s.mjs", "const m = /a/.exec('sudo no')\nexecSync(`sudo true`)\n");
	tree_load(&t, (struct scope){ 0 });
	r = row(&t, "Dockerfile#stage//0");
	f = first(r, FACT_SCRIPT);
	assert_string_equal(f->value, "e.py");
	assert_true(fact_attribute_is(f, "state", "unfollowed"));
	assert_true(fact_attribute_is(f, "why",
				      "python: line 4 starts what only its variables name"));
	assert_int_equal(snapshot_line(&t.snapshot, first(r, FACT_FIREWALL)->span), 3);
	assert_string_equal(first(r, FACT_FIREWALL)->value, "iptables -P OUTPUT DROP");
	f = first(r, FACT_PRIVILEGE_DROP);
	assert_string_equal(f->value, "app");
	assert_int_equal(snapshot_line(&t.snapshot, f->span), 6);
	assert_string_equal(first(r, FACT_APPROVALS)->value, "bypass");
	f = first(r, FACT_SUDO);
	assert_string_equal(snapshot_path(&t.snapshot, f->span), "s.mjs");
	assert_null(row_next(r, f));
	tree_end(&t);
}

static void every_overlay_is_a_stack_to_choose(void **state)
{
	static const char *files[] = { "docker-compose.yml", "docker-compose.debug.yml" };
	struct tree t;
	const struct possible_stack *stack;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "docker-compose.yml", "services:\n  a: {image: x}\n");
	tree_add(&t, "docker-compose.debug.yml",
		 "services:\n  a: {privileged: true, user: root}\n  b: {image: y}\n");
	tree_add(&t, "docker-compose.prod.yml", "services:\n  a: {read_only: true}\n");
	tree_add(&t, "Makefile",
		 "up:\n\tdocker compose -f docker-compose.yml -f docker-compose.prod.yml up\n");
	tree_load(&t, (struct scope){ 0 });
	assert_int_equal(t.snapshot.stacks.count, 2);
	stack = &t.snapshot.stacks.items[0];
	assert_int_equal(stack->files.count, 2);
	assert_string_equal(stack->files.items[1], "docker-compose.debug.yml");
	assert_string_equal(stack->changes, "a: privileged, user; new service b");
	assert_int_equal(stack->source, 0);
	stack = &t.snapshot.stacks.items[1];
	assert_string_equal(stack->changes, "a: read_only");
	assert_int_not_equal(stack->source, 0);
	snapshot_free(&t.snapshot);
	tree_load(&t, (struct scope){ .compose_files = { files, 2, 2 } });
	assert_string_equal(first(row(&t, "docker-compose.yml#service//a"), FACT_PRIVILEGED)->value,
			    "true");
	assert_int_equal(t.snapshot.stacks.items[0].files.count, 0);
	tree_end(&t);
}

static void an_env_file_names_the_files_and_profiles_that_load(void **state)
{
	struct tree t;
	const struct row *r;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml", "services:\n  a: {image: x}\n");
	tree_add(&t, "prod.yaml",
		 "services:\n  a: {privileged: true}\n  b: {image: y, profiles: [p]}\n");
	tree_add(&t, ".env", "COMPOSE_FILE=compose.yaml:prod.yaml\nCOMPOSE_PROFILES=p\n");
	tree_load(&t, (struct scope){ 0 });
	assert_int_equal(t.snapshot.rows.count, 2);
	r = row(&t, "compose.yaml#service//a");
	assert_string_equal(first(r, FACT_PRIVILEGED)->value, "true");
	assert_int_equal(row(&t, "prod.yaml#service//b")->activity, ROW_ACTIVE);
	tree_end(&t);
}

static void the_project_directory_is_where_paths_start(void **state)
{
	static const char *files[] = { "compose.yaml" };
	struct tree t;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml", "services:\n  a: {image: x, volumes: ['./d:/d']}\n");
	tree_add(&t, "extra.yaml", "services:\n  a: {volumes: ['./e:/e']}\n");
	tree_add(&t, "Makefile",
		 "up:\n\tdocker compose --project-directory=. -f compose.yaml -f extra.yaml up\n");
	tree_load(&t, (struct scope){ .compose_files = { files, 1, 1 }, .project_directory = "sub" });
	assert_true(fact_attribute_is(first(row(&t, "compose.yaml#service//a"), FACT_MOUNT),
				      "source", "./sub/d"));
	assert_true(fact_attribute_is(first(row(&t, "extra.yaml#service//a"), FACT_MOUNT), "source",
				      "./d"));
	tree_end(&t);
}

static void files_that_repeat_a_service_are_one_workload(void **state)
{
	struct tree t;
	const struct finding *privileged;
	size_t count = 0, at = 0;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "docker-compose.yml", "services:\n  a: {image: x, privileged: true}\n");
	tree_add(&t, "docker-compose.b.yml", "services:\n  a: {image: y, privileged: true}\n");
	tree_add(&t, "docker-compose.c.yml", "services:\n  a: {image: z, privileged: true}\n");
	tree_load(&t, (struct scope){ 0 });
	assert_true(row(&t, "docker-compose.b.yml#service//a")->variant);
	assert_int_equal(row(&t, "docker-compose.c.yml#service//a")->parent,
			 row(&t, "docker-compose.yml#service//a")->index + 1);
	for (size_t i = 0; i < t.snapshot.findings.count; i++)
		if (strcmp(t.snapshot.findings.items[i]->rule->slug, "privileged-container") == 0) {
			at = i;
			count++;
		}
	assert_int_equal(count, 1);
	privileged = t.snapshot.findings.items[at];
	assert_int_equal(privileged->row_count, 3);
	assert_string_equal(snapshot_path(&t.snapshot, privileged->citations[0].span),
			    "docker-compose.yml");
	assert_int_equal(privileged->citation_count, 3);
	assert_string_equal(privileged->citations[1].role, "variant");
	tree_end(&t);
}

static void volumes_from_counts_in_a_project_of_any_size(void **state)
{
	struct buf text = { 0 };
	struct tree t;

	(void)state;
	tree_begin(&t);
	buf_puts(&text, "services:\n  a: {image: x, volumes_from: [b]}\n"
			"  b: {image: x, volumes: ['/etc:/host']}\n");
	for (unsigned i = 0; i < 300; i++)
		buf_printf(&text, "  s%u: {image: x}\n", i);
	tree_add(&t, "compose.yaml", buf_text(&text));
	buf_free(&text);
	tree_load(&t, (struct scope){ 0 });
	assert_string_equal(first(row(&t, "compose.yaml#service//a"), FACT_MOUNT)->value,
			    "/etc:/host");
	tree_end(&t);
}

static void a_provider_is_a_command_of_the_host(void **state)
{
	struct tree t;
	const struct row *r;

	(void)state;
	tree_begin(&t);
	tree_add(&t, "compose.yaml",
		 "services:\n  db:\n    provider: {type: awesomecloud, options: {size: 1}}\n");
	tree_load(&t, (struct scope){ 0 });
	r = row(&t, "compose.yaml#service//db");
	assert_int_equal(r->kind, ROW_TOOL_SUBPROCESS);
	assert_string_equal(first(r, FACT_HOST_COMMAND)->value, "awesomecloud");
	assert_null(row_first(r, FACT_PRIVILEGED, LAYER_DECLARED));
	assert_null(row_first(r, FACT_CAP_DROP, LAYER_DECLARED));
	for (size_t i = 0; i < t.snapshot.findings.count; i++)
		assert_string_equal(t.snapshot.findings.items[i]->rule->slug, "host-side-hook");
	assert_int_equal(t.snapshot.findings.count, 1);
	tree_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_repeat_a_service_are_one_workload),
		cmocka_unit_test(an_env_file_names_the_files_and_profiles_that_load),
		cmocka_unit_test(the_project_directory_is_where_paths_start),
		cmocka_unit_test(a_provider_is_a_command_of_the_host),
		cmocka_unit_test(volumes_from_counts_in_a_project_of_any_size),
		cmocka_unit_test(every_overlay_is_a_stack_to_choose),
		cmocka_unit_test(programs_are_followed_where_their_words_are_written),
		cmocka_unit_test(mounted_texts_are_followed_at_their_lines),
		cmocka_unit_test(watch_models_and_volumes_from_are_facts),
		cmocka_unit_test(an_inline_dockerfile_is_read_at_its_lines),
		cmocka_unit_test(build_arguments_choose_base_and_user),
		cmocka_unit_test(the_loaded_pair_is_one_model),
		cmocka_unit_test(an_overlay_is_a_conditional_row_and_a_variant),
		cmocka_unit_test(named_files_are_the_stack),
		cmocka_unit_test(profiles_make_rows_conditional_until_they_are_named),
		cmocka_unit_test(unknown_variables_stay_unknown_and_defaults_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
