/* Instruction files of agents: a limit that only their text names is no boundary.
 *
 * Of a file the first line that forbids something about files, commands or the network is taken. It is said
 * of the agents whose settings lie beside it and switch no sandbox on.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/formats/format.h"

#define LONGEST_LINE 512

/* Files that agents read as instructions (2026), and the product when only one does. */
static const struct {
	const char *name, *product;
} files[] = {
	{ "CLAUDE.md", "claude-code" },
	{ "CLAUDE.local.md", "claude-code" },
	{ "GEMINI.md", "gemini-cli" },
	{ "QWEN.md", "qwen-code" },
	{ "AGENTS.md", NULL },
	{ "copilot-instructions.md", NULL },
	{ ".cursorrules", "cursor" },
	{ ".clinerules", "cline" },
	{ ".windsurfrules", "windsurf" },
};

static bool interested(const char *path)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(path_base(path), files[i].name) == 0)
			return true;
	return false;
}

static bool holds_any(const char *line, const char *const *words)
{
	for (; *words; words++)
		if (strstr(line, *words))
			return true;
	return false;
}

/* "Never run commands outside the project": it forbids, an act, of something that the system has. */
static bool is_limit(const char *line)
{
	static const char *const forbids[] = { "do not ",  "don't ",	"never ",     "must not ",
					       "not allowed to ", "may not ", "forbidden", NULL };
	static const char *const acts[] = { "delete", "modify", "edit ", "write",  "read",
					    "access", "run ",	"execut", "push",  "commit",
					    "install", "open ", "touch",  "connect", NULL };
	static const char *const things[] = { "outside", "director",   "folder",     "secret",
					      ".env",	 "credential", "~/",	     "/etc",
					      "/home",	 "command",    "network",    "internet",
					      "sudo",	 "--force",    "production", "shell",
					      "kubectl", NULL };

	return holds_any(line, forbids) && holds_any(line, acts) && holds_any(line, things);
}

static uint32_t first_limit(const char *bytes, size_t length)
{
	const char *end = bytes + length;
	uint32_t number = 1;

	for (const char *at = bytes; at < end; number++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);
		char line[LONGEST_LINE];

		n = n < sizeof line ? n : sizeof line - 1;
		for (size_t i = 0; i < n; i++)
			line[i] = (char)tolower((unsigned char)at[i]);
		line[n] = '\0';
		if (is_limit(line))
			return number;
		at = stop ? stop + 1 : end;
	}
	return 0;
}

static bool claims(const char *path, const char *bytes, size_t length)
{
	(void)path;
	return first_limit(bytes, length) > 0;
}

static void read(struct workspace *w, struct input *in)
{
	struct span *span = ARENA_NEW(&w->snapshot->arena, struct span);

	*span = source_line_span(in->source, first_limit(in->source->bytes, in->source->length));
	in->state[FORMAT_CLI] = span;
}

/* The folder that a settings file speaks for: that of ".claude/settings.json" is the one above. */
static const char *project_folder(struct arena *a, const char *path)
{
	const char *folder = path_folder(a, path);

	return path_base(folder)[0] == '.' ? path_folder(a, folder) : folder;
}

static bool is_sandboxed(const struct row *r)
{
	for (const struct fact *f = row_first(r, FACT_SANDBOX, LAYER_DECLARED); f; f = row_next(r, f))
		if (fact_is_written(f) && !fact_is_nocase(f, "off") && !fact_is_nocase(f, "unset") &&
		    !fact_is_nocase(f, "none") && !fact_is_nocase(f, "false"))
			return true;
	return false;
}

static bool concerns(struct snapshot *s, const struct row *r, const struct input *in)
{
	const char *settings = s->artifacts.items[r->artifact]->path;
	const char *path = in->artifact->path;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(path_base(path), files[i].name) == 0 && files[i].product &&
		    strcasecmp(files[i].product, r->unit) != 0)
			return false;
	return strcmp(project_folder(&s->arena, path), project_folder(&s->arena, settings)) == 0;
}

static void join(struct workspace *w)
{
	struct snapshot *s = w->snapshot;

	for (size_t i = 0; i < w->inputs.count; i++) {
		const struct span *span = w->inputs.items[i]->state[FORMAT_CLI];

		for (size_t k = 0; span && k < s->rows.count; k++) {
			struct row *r = s->rows.items[k];

			if (r->format == FORMAT_AGENT_SETTINGS && row_is_workload(r) &&
			    !is_sandboxed(r) && concerns(s, r, w->inputs.items[i]))
				snapshot_add_fact(s, r, FACT_TEXT_LIMIT,
						  w->inputs.items[i]->artifact->path, *span);
		}
	}
}

const struct format format_instructions = {
	.id = FORMAT_AGENT_SETTINGS,
	.syntax = SYNTAX_TEXT,
	.interested = interested,
	.claims = claims,
	.read = read,
	.join = join,
};
