/* Proposes roles by what rows start, hold and are called; the surest evidence is asked first.
 * SPDX-License-Identifier: MIT */
#include "src/formats/roles.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LONGEST_NAME 160

/* --- words of names ------------------------------------------------------------------------------ */

static bool is_part(char c)
{
	return isalnum((unsigned char)c) != 0;
}

/* Lower case, '-' between parts, at most one '/': the last folder and the name. */
static bool normalise(const char *text, char out[LONGEST_NAME])
{
	const char *slash = strrchr(text, '/');
	size_t length;

	while (slash && slash > text && slash[-1] != '/')
		slash--;
	text = slash && slash > text ? slash : text;
	text += *text == '@' || *text == '/';
	length = strlen(text);
	if (!length || length >= LONGEST_NAME)
		return false;
	for (size_t i = 0; i <= length; i++)
		out[i] = text[i] == '/' || !text[i] ? text[i]
			 : is_part(text[i])	    ? (char)tolower((unsigned char)text[i])
						    : '-';
	return true;
}

static int compare_start(const char *word, const char *part, size_t length)
{
	int order = strncmp(word, part, length);

	return order ? order : is_part(word[length]) ? 1 : 0;
}

/* The first word of the table whose first part is PART. */
static size_t lower_bound(const char *part, size_t length)
{
	size_t low = 0, high = role_word_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_start(role_words[middle].word, part, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct best {
	const struct role_word *word;
	size_t end;
};

/* "argocd-e2e-container" is made to test a product and is none. */
static bool is_for_tests(const char *rest)
{
	static const char *const parts[] = { "e2e", "test", "tests", "demo", "example", "sample", "mock" };

	while (*rest) {
		size_t length = 0;

		while (is_part(rest[length]))
			length++;
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (length == strlen(parts[i]) && strncmp(rest, parts[i], length) == 0)
				return true;
		rest += length + (rest[length] != '\0');
	}
	return false;
}

/* A name says last what the thing is: "postgres-exporter" is an exporter. */
static void consider(struct best *best, const struct role_word *word, const char *name, size_t at)
{
	size_t length = strlen(word->word), end = at + length;
	const char *slash = strchr(name, '/');
	bool folder = word->word[length - 1] == '/';

	if (strncmp(name + at, word->word, length) != 0 || (!folder && is_part(name[end])))
		return;
	/* The folder of an image is its publisher, which says little alone. */
	if (slash && name + at < slash && (!strchr(word->word, '/') || at > 0))
		return;
	/* "webhook-processor" is no webhook. */
	if (word->use == ROLE_WORD_NAME && name[end])
		return;
	if (word->use == ROLE_WORD_PRODUCT && word->role == ROLE_INFRASTRUCTURE &&
	    is_for_tests(name + end))
		return;
	if (folder)
		end = strlen(name);
	if (!best->word || end > best->end ||
	    (end == best->end && length > strlen(best->word->word)))
		*best = (struct best){ word, end };
}

const struct role_word *role_word_in(const char *text)
{
	struct best best = { 0 };
	char name[LONGEST_NAME] = { 0 };

	if (!normalise(text, name))
		return NULL;
	for (size_t at = 0; name[at];) {
		size_t length = 0;

		while (is_part(name[at + length]))
			length++;
		for (size_t i = length ? lower_bound(name + at, length) : role_word_count;
		     i < role_word_count &&
		     compare_start(role_words[i].word, name + at, length) == 0;
		     i++)
			consider(&best, &role_words[i], name, at);
		at += length + (name[at + length] != '\0');
	}
	return best.word;
}

/* --- what a row gives ---------------------------------------------------------------------------- */

struct proposal {
	struct workspace *w;
	struct row *row;
	const struct role_word *by_image; /* what its image is called, also when that is a common word */
	const struct fact *image;
};

static void propose(struct proposal *p, enum row_role role, struct span span, const char *duty,
		    const char *why, const char *word)
{
	p->row->role = role;
	p->row->role_span = span;
	p->row->role_reason = arena_printf(&p->w->snapshot->arena, "%s, by %s%s%s", duty, why,
					   *word ? " " : "", word);
}

/* The agent itself is a fact of its cell when a program or a product shows it. */
static void agent_fact(struct proposal *p, struct span span, const char *program)
{
	struct fact *f;

	if (row_first(p->row, FACT_AGENT, LAYER_DECLARED))
		return;
	f = snapshot_add_fact(p->w->snapshot, p->row, FACT_AGENT, program, span);
	snapshot_set_attribute(p->w->snapshot, f, "where", "inside");
}

static void propose_word(struct proposal *p, const struct role_word *word, struct span span,
			 const char *why)
{
	propose(p, word->role, span, word->duty, why, word->word);
	if (word->role == ROLE_AGENT && word->use != ROLE_WORD_NAME)
		agent_fact(p, span, word->word);
}

/* --- commands ------------------------------------------------------------------------------------ */

/* Words behind which the program still comes. */
static bool is_launcher(const char *word, size_t length)
{
	static const char *const launchers[] = {
		"sh",	"bash", "ash",	 "dash",   "zsh",  "exec",    "env",	   "tini",
		"npx",	"uvx",	"uv",	 "run",	   "tool", "dumb-init", "python", "python3",
		"sudo", "nohup", "catatonit", "pnpm", "dlx", "bunx", "poetry",
	};

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (strlen(launchers[i]) == length && strncmp(launchers[i], word, length) == 0)
			return true;
	return *word == '-' || memchr(word, '=', length) != NULL;
}

static bool ends_command(const char *word, size_t length)
{
	return length && strchr(";&|", word[length - 1]) != NULL;
}

static const struct role_word *program_word(const char *word, size_t length)
{
	char name[LONGEST_NAME];
	const struct role_word *found;
	const char *base = word, *slash;

	while ((slash = memchr(base, '/', (size_t)(word + length - base))) && *word != '@')
		base = slash + 1;
	length -= (size_t)(base - word);
	/* A package's version is no part of its name. */
	for (size_t i = 1; i < length; i++)
		if (base[i] == '@' || base[i] == ';')
			length = i;
	if (!length || length >= sizeof name)
		return NULL;
	memcpy(name, base, length);
	name[length] = '\0';
	found = role_word_in(name);
	return found && (found->use != ROLE_WORD_PROGRAM || strcmp(found->word, name) == 0) ? found
											     : NULL;
}

static bool by_command(struct proposal *p, const struct fact *f)
{
	bool expected = true;

	for (const char *at = f->value; *at;) {
		size_t length = strcspn(at, " \t\n");

		if (expected && length && !is_launcher(at, length)) {
			const struct role_word *word = program_word(at, length);

			if (word && word->use != ROLE_WORD_NAME) {
				propose_word(p, word, f->span, "the command");
				return true;
			}
			expected = false;
		}
		expected |= ends_command(at, length);
		at += length + (at[length] != '\0');
	}
	return false;
}

/* The first fact of KIND that a file declares; an export's where nothing is declared. */
static const struct fact *first_of(const struct proposal *p, enum fact_kind kind)
{
	const struct fact *f = row_first(p->row, kind, LAYER_DECLARED);

	return f ? f : row_first(p->row, kind, LAYER_OBSERVED);
}

static bool by_commands(struct proposal *p)
{
	static const enum fact_kind kinds[] = { FACT_ENTRYPOINT, FACT_COMMAND };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (const struct fact *f = first_of(p, kinds[i]); f; f = row_next(p->row, f))
			if (*f->value && f->provenance != PROVENANCE_ABSENT && by_command(p, f))
				return true;
	return false;
}

/* --- images and packages -------------------------------------------------------------------------- */

static void look_at_image(struct proposal *p)
{
	const struct fact *f = first_of(p, FACT_IMAGE);
	const char *path = f ? fact_attribute(f, "repository") : NULL;

	p->image = f;
	p->by_image = path ? role_word_in(path) : NULL;
	if (p->by_image && p->by_image->use == ROLE_WORD_PROGRAM)
		p->by_image = NULL;
}

/* What an init container does is over before the agent of its image would start. */
static bool is_over_before(const struct proposal *p)
{
	return p->row->kind == ROW_INIT && p->by_image && p->by_image->role == ROLE_AGENT;
}

static bool by_image(struct proposal *p)
{
	if (is_over_before(p))
		p->by_image = NULL;
	if (!p->by_image || p->by_image->use != ROLE_WORD_PRODUCT)
		return false;
	propose_word(p, p->by_image, p->image->span, "the image name");
	return true;
}

/* Packages of agent programs in the image. */
static bool by_package(struct proposal *p)
{
	static const char *const packages[] = {
		"@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli",
		"@qwen-code/qwen-code",	     "opencode-ai",   "aider-chat",
		"openhands-ai",		     "open-interpreter",
	};

	for (const struct fact *f = row_first(p->row, FACT_PACKAGE_INSTALL, LAYER_DECLARED); f;
	     f = row_next(p->row, f))
		for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
			if (strstr(f->value, packages[i])) {
				propose(p, ROLE_AGENT, f->span, "agent program",
					"the installed package", packages[i]);
				agent_fact(p, f->span, packages[i]);
				return true;
			}
	return false;
}

/* --- what it holds ------------------------------------------------------------------------------- */

static bool by_approvals(struct proposal *p)
{
	const struct fact *f = row_first(p->row, FACT_APPROVALS, LAYER_DECLARED);

	if (!f || !fact_is_written(f))
		return false;
	propose(p, ROLE_AGENT, f->span, "agent program", "its approval setting", "");
	return true;
}

/* Folders in which agent programs keep sessions, settings and sign-ins. */
static bool by_mount(struct proposal *p)
{
	static const char *const folders[] = {
		"/.claude", "/.codex",	"/.gemini", "/.openhands",      "/.aider",
		"/.qwen",   "/.cursor", "/.goose",  "/.config/opencode", "/.openclaw",
	};

	for (const struct fact *f = first_of(p, FACT_MOUNT); f;
	     f = row_next(p->row, f)) {
		const char *target = fact_attribute(f, "target");

		for (size_t i = 0; target && i < sizeof folders / sizeof *folders; i++) {
			const char *hit = strstr(target, folders[i]);

			if (!hit || is_part(hit[strlen(folders[i])]))
				continue;
			propose(p, ROLE_AGENT, f->span, "agent program", "the mounted folder",
				folders[i] + 1);
			return true;
		}
	}
	return false;
}

/* Variables by which programs reach a model. */
static bool by_variable(struct proposal *p)
{
	static const char names[] =
		" ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_MODEL "
		"CLAUDE_API_KEY CLAUDE_CODE_OAUTH_TOKEN OPENAI_API_KEY OPENAI_BASE_URL "
		"OPENAI_API_BASE AZURE_OPENAI_API_KEY GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY "
		"OPENROUTER_API_KEY MISTRAL_API_KEY GROQ_API_KEY DEEPSEEK_API_KEY XAI_API_KEY "
		"COHERE_API_KEY TOGETHER_API_KEY DASHSCOPE_API_KEY MOONSHOT_API_KEY LLM_API_KEY "
		"LLM_BASE_URL LLM_MODEL MODEL_API_KEY OLLAMA_BASE_URL ";

	for (const struct fact *f = first_of(p, FACT_ENV); f;
	     f = row_next(p->row, f)) {
		size_t length = strlen(f->value);
		const char *hit = length > 6 ? strstr(names, f->value) : NULL;

		if (!hit || hit[-1] != ' ' || hit[length] != ' ')
			continue;
		propose(p, ROLE_AGENT, f->span, "asks a model", "its variable", f->value);
		return true;
	}
	return false;
}

static bool by_socket(struct proposal *p)
{
	for (const struct fact *f = first_of(p, FACT_MOUNT); f;
	     f = row_next(p->row, f))
		if (strstr(f->value, "docker.sock") || strstr(f->value, "podman.sock") ||
		    strstr(f->value, "containerd.sock")) {
			propose(p, ROLE_HELPER, f->span, "may start containers",
				"the engine's socket", "");
			return true;
		}
	return false;
}

/* --- names --------------------------------------------------------------------------------------- */

static bool take_name(struct proposal *p, const char *name)
{
	const struct role_word *word = role_word_in(name);

	if (!word || word->use == ROLE_WORD_PROGRAM)
		return false;
	/* "buildkite-agent" is somebody else's agent; "agent" alone is this repository's word. */
	if (strcmp(word->word, "agent") == 0 && strcasecmp(name, "agent") != 0)
		return false;
	propose(p, word->role, p->row->span, word->duty, "the name", word->word);
	return true;
}

static bool by_name(struct proposal *p)
{
	if (p->by_image && strcmp(p->by_image->word, "agent") != 0) {
		propose(p, p->by_image->role, p->image->span, p->by_image->duty, "the image name",
			p->by_image->word);
		return true;
	}
	return take_name(p, p->row->name) ||
	       (p->row->kind == ROW_MAIN && *p->row->unit && take_name(p, p->row->unit));
}

static bool by_format(struct proposal *p)
{
	if (p->row->format == FORMAT_WORKFLOW)
		propose(p, ROLE_INFRASTRUCTURE, p->row->span, "continuous integration",
			"the workflow that starts it", "");
	return p->row->format == FORMAT_WORKFLOW;
}

/* The surest evidence first; the first that speaks decides. */
static bool (*const askers[])(struct proposal *p) = {
	by_commands, by_image, by_approvals, by_mount,	by_package,
	by_variable, by_name,  by_socket,    by_format,
};

/* Overlays of one Compose service are one service: what one of them shows holds for the others. */
static const char *service_key(struct snapshot *s, const struct row *r)
{
	const char *path = s->artifacts.items[r->artifact]->path;

	return arena_printf(&s->arena, "%s#%s", path_folder(&s->arena, path), r->name);
}

static void share_among_overlays(struct workspace *w)
{
	struct snapshot *s = w->snapshot;
	struct hash_index agents = { 0 };
	uint32_t known;

	for (size_t i = 0; i < s->rows.count; i++)
		if (s->rows.items[i]->format == FORMAT_COMPOSE &&
		    s->rows.items[i]->role == ROLE_AGENT)
			hash_index_put(&s->arena, &agents,
				       service_key(s, s->rows.items[i]), (uint32_t)i);
	for (size_t i = 0; agents.count && i < s->rows.count; i++) {
		struct row *r = s->rows.items[i];
		struct proposal p = { .w = w, .row = r };

		if (r->format == FORMAT_COMPOSE && row_is_workload(r) &&
		    (r->role == ROLE_UNKNOWN || r->role == ROLE_HELPER) &&
		    hash_index_get(&agents, service_key(s, r), &known))
			propose(&p, ROLE_AGENT, s->rows.items[known]->role_span, "agent program",
				"another file of this service", "");
	}
}

/* A resource that runs agents, and an image that is one. */
static void add_known_agent(struct proposal *p)
{
	if (p->by_image && p->by_image->use == ROLE_WORD_PRODUCT && p->by_image->role == ROLE_AGENT)
		agent_fact(p, p->image->span, p->by_image->word);
}

void roles_propose(struct workspace *w)
{
	for (size_t i = 0; i < w->snapshot->rows.count; i++) {
		struct proposal p = { .w = w, .row = w->snapshot->rows.items[i] };

		if ((p.row->role != ROLE_UNKNOWN && p.row->role != ROLE_AGENT) ||
		    !row_is_workload(p.row) || p.row->kind == ROW_BUILD)
			continue;
		look_at_image(&p);
		if (p.row->role == ROLE_AGENT) {
			add_known_agent(&p);
			continue;
		}
		for (size_t k = 0; k < sizeof askers / sizeof *askers; k++)
			if (askers[k](&p))
				break;
	}
	share_among_overlays(w);
}
