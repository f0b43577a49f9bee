/* Which stage is built, as workflows, pipelines and build files say it.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_help.h"

extern const struct format format_dockerfile, format_script;

static const struct format *const formats[] = { &format_dockerfile, &format_script, NULL };

static const char stages[] = "FROM a AS one\nUSER 1\nFROM a AS two\nUSER 2\nFROM a AS last\nUSER 3\n";

/* Which of the three stages are built when PATH says TEXT. */
static void builds(const char *path, const char *text, const char *dockerfile, const char *built)
{
	static const char *const names[] = { "one", "two", "last" };
	const struct tree_file files[] = { { path, text }, { dockerfile, stages } };
	struct tree t;
	char got[64] = "", key[128];

	t = (struct tree){ .files = files, .count = 2 };
	t.reading.workspace = (struct workspace){ .snapshot = &t.reading.snapshot,
						  .open = tree_open,
						  .exists = tree_exists,
						  .host = &t };
	/* The load parses what a format claims, whether or not it is recognised in the end. */
	input_parse(&t.reading.workspace, tree_input(&t, path), SYNTAX_YAML);
	tree_offer(&t, &format_dockerfile, dockerfile);
	for (size_t k = 0; formats[k]; k++)
		formats[k]->join(&t.reading.workspace);
	for (size_t i = 0; i < 3; i++) {
		snprintf(key, sizeof key, "%s#stage//%s", dockerfile, names[i]);
		if (row_of(&t.reading, key)->activity == ROW_ACTIVE)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", *got ? " " : "",
				 names[i]);
	}
	assert_string_equal(got, built);
	tree_free(&t);
}

static void actions_name_their_target(void **state)
{
	(void)state;
	builds(".github/workflows/a.yml",
	       "jobs:\n  a:\n    steps:\n    - uses: docker/build-push-action@v6\n"
	       "      with: { context: api, target: two }\n", "api/Dockerfile", "two");
	builds(".github/workflows/a.yml",
	       "jobs:\n  a:\n    steps:\n    - uses: docker/build-push-action@v6\n"
	       "      with: { file: api/Dockerfile, target: \"${{ inputs.target }}\" }\n",
	       "api/Dockerfile", "last");
	builds(".github/workflows/a.yml",
	       "jobs:\n  a:\n    strategy:\n      matrix: { t: [one, two] }\n    steps:\n"
	       "    - uses: docker/build-push-action@v6\n"
	       "      with: { context: api, target: \"${{ matrix.t }}\" }\n", "api/Dockerfile",
	       "one two");
	builds(".github/workflows/a.yml",
	       "jobs:\n  a:\n    strategy:\n      matrix:\n        include:\n"
	       "        - { i: { file: api/Dockerfile, stage: one } }\n    steps:\n"
	       "    - uses: docker/build-push-action@v6\n"
	       "      with: { file: \"${{ matrix.i.file }}\", target: \"${{ matrix.i.stage }}\" }\n",
	       "api/Dockerfile", "one");
}

static void commands_name_their_target(void **state)
{
	(void)state;
	builds(".github/workflows/a.yml",
	       "jobs:\n  a:\n    steps:\n    - working-directory: api\n      run: |\n        set -e\n"
	       "        docker buildx build \\\n          --target two .\n", "api/Dockerfile", "two");
	builds(".gitlab-ci.yml",
	       "b:\n  script:\n  - /kaniko/executor --dockerfile \"${CI_PROJECT_DIR}/api/Dockerfile\" "
	       "--target one\n", "api/Dockerfile", "one");
	builds("cloudbuild.yaml",
	       "steps:\n- name: gcr.io/cloud-builders/docker\n"
	       "  args: [build, --target, two, -t, x, api]\n", "api/Dockerfile", "two");
	builds("azure-pipelines.yml",
	       "steps:\n- task: Docker@2\n  inputs: { Dockerfile: api/Dockerfile, "
	       "arguments: --target one }\n", "api/Dockerfile", "one");
}

static void build_files_are_relative_to_themselves(void **state)
{
	(void)state;
	builds("d/skaffold.yaml",
	       "build:\n  artifacts:\n  - image: x\n    context: api\n    docker: { target: two }\n",
	       "d/api/Dockerfile", "two");
	builds("d/skaffold.yaml", "build:\n  artifacts:\n  - image: x\n    context: api\n", "d/api/Dockerfile",
	       "last");
	builds("docker-bake.json",
	       "{\"target\": {\"a\": {\"context\": \"api\", \"target\": \"one\"}}}\n", "api/Dockerfile",
	       "one");
}

static void what_builds_nothing_of_the_tree_says_nothing(void **state)
{
	(void)state;
	builds(".gitlab-ci.yml", "b:\n  script:\n  - docker build --target one elsewhere\n",
	       "api/Dockerfile", "last");
	builds(".github/workflows/a.yml", "jobs: [docker build, {steps: {args: [1]}}]\n",
	       "api/Dockerfile", "last");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_name_their_target),
		cmocka_unit_test(commands_name_their_target),
		cmocka_unit_test(build_files_are_relative_to_themselves),
		cmocka_unit_test(what_builds_nothing_of_the_tree_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
