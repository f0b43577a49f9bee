/* Agent programs on command lines: approvals that are switched off, servers and packages that are
 * fetched when the script runs.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/mcp/mcp.h"
#include "src/formats/script/steps.h"

/* Options of agent programs that let tool calls run unasked (2026). */
static const struct {
	const char *programs; /* NULL: the option says enough by itself */
	const char *option, *value;
} bypasses[] = {
	{ NULL, "--dangerously-skip-permissions", NULL },
	{ NULL, "--allow-dangerously-skip-permissions", NULL },
	{ NULL, "--dangerously-bypass-approvals-and-sandbox", NULL },
	{ "claude", "--permission-mode", "bypassPermissions" },
	{ "codex gemini qwen copilot cursor-agent opencode crush auggie kimi", "--yolo", NULL },
	{ "gemini qwen crush", "-y", NULL },
	{ "gemini qwen", "--approval-mode", "yolo" },
	{ "codex", "--ask-for-approval", "never" },
	{ "codex", "-a", "never" },
	{ "codex", "--full-auto", NULL },
	{ "copilot", "--allow-all-tools", NULL },
	{ "copilot", "--allow-all", NULL },
	{ "cursor-agent", "--force", NULL },
	{ "aider", "--yes-always", NULL },
	{ "aider", "--yes", NULL },
	{ "q kiro-cli", "--trust-all-tools", NULL },
	{ "amp", "--dangerously-allow-all", NULL },
	{ "goose", "--mode", "auto" },
	{ "openhands", "--always-approve", NULL },
	{ "cline", "--yolo", NULL },
	{ "roo", "--yolo", NULL },
};

static bool option_at(const char *word, const char *option, const char *value, const char *next)
{
	size_t length = strlen(option);

	if (strncmp(word, option, length) != 0)
		return false;
	if (!value)
		return !word[length];
	return word[length] == '=' ? strcmp(word + length + 1, value) == 0
				   : !word[length] && strcmp(next, value) == 0;
}

static void bypass(struct steps *s, const struct call *c, const char *option)
{
	struct fact *f = steps_fact(s, FACT_APPROVALS, "bypass", c);

	steps_set(s, f, "setting", option);
	steps_set(s, f, "program", c->program);
}

/* The agent may stand behind npx, a wrapper or a variable: a word equal to its name is enough. */
static bool names_program(const struct call *c, const char *programs)
{
	for (size_t i = 0; i <= call_count(c) && i < 32; i++)
		if (word_in(programs, shell_base_name(call_word(c, i))))
			return true;
	return false;
}

static bool read_word(struct steps *s, const struct call *c, size_t i)
{
	for (size_t k = 0; k < sizeof bypasses / sizeof *bypasses; k++)
		if (option_at(call_word(c, i), bypasses[k].option, bypasses[k].value,
			      call_word(c, i + 1)) &&
		    (!bypasses[k].programs || names_program(c, bypasses[k].programs))) {
			bypass(s, c, bypasses[k].option);
			return true;
		}
	return false;
}

static bool read_words(struct steps *s, const struct call *c)
{
	for (size_t i = 1; i <= call_count(c); i++)
		if (call_word(c, i)[0] == '-' && read_word(s, c, i))
			return true;
	return false;
}

/* An alias or a line that is written to a profile: the option stands inside one word. */
static bool is_search(const struct call *c)
{
	return call_is_any(c, "grep egrep rg test [ sed") ||
	       (call_is_any(c, "echo printf") && !c->command->redirect_count &&
		(c->index + 1 >= c->shell->count ||
		 c->shell->items[c->index + 1].before != SHELL_PIPE));
}

static void read_texts(struct steps *s, const struct call *c)
{
	static const char *const marks[] = { "--dangerously-skip-permissions",
					     "--dangerously-bypass-approvals-and-sandbox" };

	if (is_search(c))
		return;
	for (size_t i = c->at; i < c->command->words.count; i++)
		for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
			if (strstr(c->command->words.items[i].text, marks[k])) {
				bypass(s, c, marks[k]);
				return;
			}
}

static void read_heredocs(struct steps *s, const struct call *c)
{
	static const char mark[] = "--dangerously-skip-permissions";

	for (size_t i = 0; i < c->command->redirect_count; i++) {
		const struct shell_redirect *r = &c->command->redirects[i];
		const struct source *source = snapshot_source(s->w->snapshot, r->body.source);
		const char *text = source ? source_text(source, r->body) : NULL;
		const char *hit = text && c->command->redirect_count > 1
					  ? memmem(text, r->body.length, mark, strlen(mark))
					  : NULL;

		if (hit)
			steps_set(s,
				  steps_fact_at(s, FACT_APPROVALS, "bypass",
						(struct span){ .source = r->body.source,
							       .offset = r->body.offset +
									 (uint32_t)(hit - text),
							       .length = sizeof mark - 1 }),
				  "setting", mark);
	}
}

void step_agent(struct steps *s, const struct call *c)
{
	if (!read_words(s, c))
		read_texts(s, c);
	read_heredocs(s, c);
}

/* --- packages fetched at start ---------------------------------------------------------------- */

static struct argv words_behind(struct steps *s, const struct call *c, size_t from)
{
	struct argv v = { 0 };

	for (size_t i = from; i <= call_count(c); i++)
		argv_add(&s->w->snapshot->arena, &v, call_word(c, i), c->command->span);
	return v;
}

/* "claude mcp add NAME -- COMMAND …": the server's own command. */
static size_t server_command(const struct call *c)
{
	static const char taking[] = "-t --transport -s --scope -e --env -H --header --client-id "
				     "--callback-port";
	size_t i;

	if (!call_is_any(c, "claude codex gemini qwen copilot") ||
	    strcmp(call_word(c, 1), "mcp") != 0 || strcmp(call_word(c, 2), "add") != 0)
		return 0;
	for (i = 3; i <= call_count(c); i++)
		if (strcmp(call_word(c, i), "--") == 0)
			return i + 1;
	i = call_operand(c, 3, taking);
	return i ? call_operand(c, i + 1, taking) : 0;
}

static void remote_server(struct steps *s, const struct call *c, const char *url)
{
	struct arena *a = &s->w->snapshot->arena;
	const char *scheme = strstr(url, "://");
	struct fact *f;

	f = steps_fact(s, FACT_REMOTE, arena_copy(a, url, strcspn(url, "?#")), c);
	steps_set(s, f, "scheme", arena_copy(a, url, (size_t)(scheme - url)));
	steps_set(s, f, "host", arena_copy(a, scheme + 3, strcspn(scheme + 3, ":/?#")));
	steps_set(s, f, "place", "argument");
	if (strchr(url, '?') && strchr(url, '$'))
		steps_fact(s, FACT_SECRET_ARGUMENT, "query of a server's address", c);
}

void step_package_run(struct steps *s, const struct call *c)
{
	size_t first = server_command(c);
	struct mcp_server server = { .w = s->w, .row = s->row };
	struct argv v;

	if (first && strstr(call_word(c, first), "://")) {
		remote_server(s, c, call_word(c, first));
		return;
	}
	v = words_behind(s, c, first);
	/* The launch of a tool server was read where its settings stand. */
	if (v.count && !(s->row->format == FORMAT_MCP && row_first(s->row, FACT_PACKAGE,
								   LAYER_DECLARED)))
		mcp_read_package(&server, &v, 0);
}
