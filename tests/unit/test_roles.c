/* Proposed roles: which word of a name counts, which evidence is asked first, and what is left open.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/formats/roles.h"
#include "tests/unit/k8s_help.h"

static void the_table_is_sorted(void **state)
{
	(void)state;
	for (size_t i = 1; i < role_word_count; i++)
		if (strcmp(role_words[i - 1].word, role_words[i].word) >= 0)
			fail_msg("%s stands before %s", role_words[i - 1].word, role_words[i].word);
}

static void the_last_word_of_a_name_says_what_it_is(void **state)
{
	static const struct {
		const char *name, *word; /* NULL: none */
	} cases[] = {
		{ "redis", "redis" },
		{ "library/postgres", "postgres" },
		{ "oliver006/redis_exporter", "exporter" },
		{ "acme/claude-proxy", "proxy" },
		{ "acme/claude-code", "claude-code" },
		{ "anthropic-ai/claude-code", "anthropic-ai/claude-code" },
		{ "registry.example/x/MCP_Server", "mcp-server" },
		{ "mcp/filesystem", "mcp/" },
		{ "datadoghq/agent", "datadoghq/agent" },
		{ "openhands/eval-swe-bench", NULL }, /* a publisher is no program */
		{ "n8n-webhook-processor", NULL },
		{ "argoprojlabs/argocd-e2e-container", NULL }, /* made to test it */
		{ "redistribute", NULL },
		{ "", NULL },
		{ "/", NULL },
		{ "---", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct role_word *word = role_word_in(cases[i].name);

		if (!word != !cases[i].word || (word && strcmp(word->word, cases[i].word) != 0))
			fail_msg("%s: %s", cases[i].name, word ? word->word : "none");
	}
}

static const struct row *proposed(struct reading *r, const char *container)
{
	char text[600];

	snprintf(text, sizeof text, POD("  containers:\n  - %s\n"), container);
	read_k8s(r, "p.yaml", text);
	join_k8s(r);
	roles_propose(&r->workspace);
	for (size_t i = 0; i < r->snapshot.rows.count; i++)
		if (row_is_workload(r->snapshot.rows.items[i]))
			return r->snapshot.rows.items[i];
	fail_msg("no row");
	return NULL;
}

static void evidence_decides_and_is_named(void **state)
{
	static const struct {
		const char *container;
		enum row_role role;
		const char *reason; /* NULL: none */
	} cases[] = {
		{ "{name: a, image: x/y, command: [claude, --print]}", ROLE_AGENT, "command claude" },
		{ "{name: a, image: x/y, command: [sh, -c, 'cd /w && exec aider']}", ROLE_AGENT,
		  "command aider" },
		{ "{name: a, image: x/y, command: [echo, claude]}", ROLE_UNKNOWN, NULL },
		{ "{name: a, image: x/y, command: [npx, -y, '@openai/codex']}", ROLE_AGENT,
		  "command openai/codex" },
		{ "{name: a, image: ghcr.io/openhands/openhands}", ROLE_AGENT, "image name openhands" },
		{ "{name: a, image: x/y, env: [{name: OPENAI_API_KEY, value: k}]}", ROLE_AGENT,
		  "variable OPENAI_API_KEY" },
		{ "{name: a, image: ghcr.io/berriai/litellm, env: [{name: OPENAI_API_KEY}]}",
		  ROLE_INFRASTRUCTURE, "proxy in front of models" },
		{ "{name: a, image: ollama/ollama}", ROLE_INFRASTRUCTURE, "model server" },
		{ "{name: a, image: mcp/fetch}", ROLE_MCP_SERVER, "image name mcp/" },
		{ "{name: a, image: 'postgres:16'}", ROLE_INFRASTRUCTURE, "database" },
		{ "{name: web-ui, image: x/y}", ROLE_INFRASTRUCTURE, "name web-ui" },
		{ "{name: code-interpreter, image: x/y}", ROLE_TOOL, "name code-interpreter" },
		{ "{name: agent, image: x/y}", ROLE_AGENT, "name agent" },
		{ "{name: agent, image: gcr.io/datadoghq/agent}", ROLE_INFRASTRUCTURE, "monitoring" },
		{ "{name: vault-agent, image: x/y}", ROLE_UNKNOWN, NULL },
		{ "{name: server, image: x/adservice}", ROLE_UNKNOWN, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row = proposed(&r, cases[i].container);

		if (row->role != cases[i].role || !row->role_reason != !cases[i].reason ||
		    (cases[i].reason && !strstr(row->role_reason, cases[i].reason)))
			fail_msg("%s: %s, %s", cases[i].container, row_role_names[row->role],
				 row->role_reason ? row->role_reason : "no reason");
		if (row->role != ROLE_UNKNOWN)
			assert_true(snapshot_line(&r.snapshot, row->role_span) > 0);
		reading_free(&r);
	}
}

static void an_agent_program_is_shown_in_its_cell(void **state)
{
	struct reading r = { 0 };

	(void)state;
	assert_value(proposed(&r, "{name: a, image: x/y, command: [claude]}"), FACT_AGENT, "claude",
		     &r, 6);
	reading_free(&r);
}

static void a_resource_that_runs_agents_shows_the_agent_of_its_image(void **state)
{
	static const char pod[] =
		"apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: s}\nspec:\n"
		"  podTemplate:\n    spec:\n"
		"      initContainers: [{name: seed, image: ghcr.io/openclaw/openclaw, command: [cp]}]\n"
		"      containers: [{name: main, image: ghcr.io/openclaw/openclaw}]\n";
	struct reading r = { 0 };
	const struct row *seed;

	(void)state;
	read_k8s(&r, "s.yaml", pod);
	roles_propose(&r.workspace);
	assert_value(row_of(&r, "s.yaml#Sandbox//s/main"), FACT_AGENT, "openclaw", &r, 8);
	seed = row_of(&r, "s.yaml#Sandbox//s/seed");
	assert_int_equal(seed->role, ROLE_UNKNOWN);
	assert_null(row_first(seed, FACT_AGENT, LAYER_DECLARED));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sorted),
		cmocka_unit_test(the_last_word_of_a_name_says_what_it_is),
		cmocka_unit_test(evidence_decides_and_is_named),
		cmocka_unit_test(an_agent_program_is_shown_in_its_cell),
		cmocka_unit_test(a_resource_that_runs_agents_shows_the_agent_of_its_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
