/* The package that a launcher fetches when the server starts, and whether its version is fixed.
 *
 * Launchers as of 2026: npm exec/npx, pnpm dlx, yarn dlx, bunx, uvx and uv tool run, pipx run, deno
 * run, go run, dnx. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/mcp/mcp.h"

enum ecosystem { ECOSYSTEM_NPM, ECOSYSTEM_PYTHON, ECOSYSTEM_GO, ECOSYSTEM_DENO, ECOSYSTEM_NUGET };

struct launcher {
	const char *program;
	const char *subcommands[2]; /* words that must follow */
	const char *manager;
	enum ecosystem ecosystem;
	const char *package_options; /* blank separated: the package is their value */
	const char *value_options;   /* others that eat a word */
};

#define NPM_VALUES                                                                                 \
	"-c --call --registry --cache --userconfig --prefix --loglevel -w --workspace "            \
	"--node-options"
#define UV_VALUES                                                                                  \
	"--python -p --index --index-url -i --default-index --extra-index-url --directory "        \
	"--project "                                                                               \
	"--env-file --cache-dir --config-file --python-preference --refresh-package -C "           \
	"--link-mode "                                                                             \
	"--exclude-newer --constraints -c --overrides --find-links -f --with-requirements "        \
	"--with-editable"

static const struct launcher launchers[] = {
	{ "npx", { 0 }, "npx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "pnpx", { 0 }, "pnpx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "npm", { "exec" }, "npx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "npm", { "x" }, "npx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "pnpm", { "dlx" }, "pnpm dlx", ECOSYSTEM_NPM, "--package", NPM_VALUES },
	{ "pnpm", { "exec" }, NULL, ECOSYSTEM_NPM, "", "" },
	{ "yarn", { "dlx" }, "yarn dlx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "bunx", { 0 }, "bunx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "bun", { "x" }, "bunx", ECOSYSTEM_NPM, "-p --package", NPM_VALUES },
	{ "uvx", { 0 }, "uvx", ECOSYSTEM_PYTHON, "--from", UV_VALUES " --with -w" },
	{ "uv", { "tool", "run" }, "uvx", ECOSYSTEM_PYTHON, "--from", UV_VALUES " --with -w" },
	{ "uv", { "x" }, "uvx", ECOSYSTEM_PYTHON, "--from", UV_VALUES " --with -w" },
	{ "pipx",
	  { "run" },
	  "pipx",
	  ECOSYSTEM_PYTHON,
	  "--spec",
	  "--python --index-url -i --pip-args" },
	{ "go",
	  { "run" },
	  "go run",
	  ECOSYSTEM_GO,
	  "",
	  "-C -tags -ldflags -exec -mod -modfile -overlay" },
	{ "deno",
	  { "run" },
	  "deno",
	  ECOSYSTEM_DENO,
	  "",
	  "--config -c --import-map --lock --cert --location --seed" },
	{ "dnx", { 0 }, "dnx", ECOSYSTEM_NUGET, "", "--source --add-source --configfile" },
};

/* True when the blank-separated LIST has OPTION, "=value" left out; *VALUE is what follows '='. */
static bool in_list(const char *list, const char *word, const char **value)
{
	size_t name = strcspn(word, "=");

	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == name && strncmp(list, word, n) == 0) {
			*value = word[name] ? word + name + 1 : NULL;
			return true;
		}
		list += n + (list[n] == ' ');
	}
	return false;
}

static size_t subcommand_count(const struct launcher *l)
{
	return !l->subcommands[0] ? 0 : l->subcommands[1] ? 2 : 1;
}

/* The launcher of the words from AT on; *FIRST is the word behind its subcommands. */
static const struct launcher *find_launcher(struct arena *a, const struct argv *v, size_t at,
                                            size_t *first)
{
	const char *program = argv_program(a, argv_at(v, at));

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const struct launcher *l = &launchers[i];
		size_t count = subcommand_count(l);

		if (strcmp(program, l->program) != 0)
			continue;
		if (count > 0 && strcmp(argv_at(v, at + 1), l->subcommands[0]) != 0)
			continue;
		if (count > 1 && strcmp(argv_at(v, at + 2), l->subcommands[1]) != 0)
			continue;
		*first = at + 1 + count;
		return l;
	}
	return NULL;
}

/* The word that names the package, or NULL. */
static const struct argv_word *find_spec(const struct launcher *l, const struct argv *v,
                                         size_t first, struct argv_word *inlined)
{
	const char *value = NULL;

	for (size_t i = first; i < v->count; i++) {
		const char *word = v->items[i].text;

		if (strcmp(word, "--") == 0)
			return i + 1 < v->count ? &v->items[i + 1] : NULL;
		if (word[0] != '-')
			return &v->items[i];
		if (in_list(l->package_options, word, &value)) {
			if (!value)
				return i + 1 < v->count ? &v->items[i + 1] : NULL;
			*inlined = v->items[i];
			inlined->text = value;
			return inlined;
		}
		if (in_list(l->value_options, word, &value) && !value)
			i++;
	}
	return NULL;
}

/* --- versions ------------------------------------------------------------------------------- */

static bool is_commit(const char *text)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");

	return n == 40 || (n == 64 && !text[n]);
}

/* "1.2.3" with anything that begins with '-' or '+' behind it. */
bool mcp_is_exact_version(const char *text)
{
	text += *text == 'v' || *text == '=';
	for (unsigned part = 0; part < 3; part++) {
		size_t n = strspn(text, "0123456789");

		if (!n)
			return false;
		text += n;
		if (part < 2 && *text++ != '.')
			return false;
	}
	return !*text || *text == '-' || *text == '+';
}

/* PEP 440 as far as it matters: digits and dots, then a pre, post or local part. */
static bool is_python_version(const char *text)
{
	return isdigit((unsigned char)*text) && !strpbrk(text, "*<>~!^ ,|");
}

static bool is_local(const char *spec)
{
	return spec[0] == '.' || spec[0] == '/' || spec[0] == '~' || spec[0] == '\\' ||
	       strncmp(spec, "file:", 5) == 0 ||
	       (isalpha((unsigned char)spec[0]) && spec[1] == ':');
}

static bool is_fetched_source(const char *spec)
{
	return strncmp(spec, "git+", 4) == 0 || strstr(spec, "://") ||
	       strncmp(spec, "github:", 7) == 0 || strncmp(spec, "git@", 4) == 0;
}

struct package {
	const char *name, *version; /* version "" when none is written */
	bool pinned;
};

static struct package cut(struct arena *a, const char *spec, const char *mark, size_t skip)
{
	return (struct package){
		.name = mark ? arena_copy(a, spec, (size_t)(mark - spec)) : spec,
		.version = mark ? mark + skip : "",
	};
}

static struct package source_package(struct arena *a, const char *spec, bool npm)
{
	struct package p = cut(a, spec, strrchr(spec, npm ? '#' : '@'), 1);

	if (strchr(p.version, '/') || strchr(p.version, ':'))
		p = (struct package){ .name = spec, .version = "" };
	p.pinned = is_commit(p.version);
	return p;
}

static struct package npm_package(struct arena *a, const char *spec)
{
	struct package p;

	if (is_fetched_source(spec))
		return source_package(a, spec, true);
	p = cut(a, spec, *spec ? strchr(spec + 1, '@') : NULL, 1);
	p.pinned = mcp_is_exact_version(p.version);
	return p;
}

static struct package python_package(struct arena *a, const char *spec)
{
	const char *equals = strstr(spec, "==");
	struct package p;

	if (is_fetched_source(spec) || strstr(spec, " @ "))
		return source_package(a, spec, false);
	p = equals ? cut(a, spec, equals, 2) : cut(a, spec, strchr(spec, '@'), 1);
	if (!equals && strpbrk(p.name, "<>~!"))
		p.name = arena_copy(a, p.name, strcspn(p.name, "<>~!"));
	p.pinned = is_python_version(p.version);
	return p;
}

static struct package go_package(struct arena *a, const char *spec)
{
	struct package p = cut(a, spec, strchr(spec, '@'), 1);

	p.pinned = mcp_is_exact_version(p.version) || is_commit(p.version);
	return p;
}

static struct package deno_package(struct arena *a, const char *spec)
{
	struct package p = cut(a, spec, strrchr(spec, '@'), 1);

	if (strncmp(spec, "npm:", 4) == 0 || strncmp(spec, "jsr:", 4) == 0)
		return npm_package(a, spec + 4 + (spec[4] == '/'));
	p.version = arena_copy(a, p.version, strcspn(p.version, "/"));
	p.pinned = mcp_is_exact_version(p.version);
	return p;
}

static struct package parse_spec(struct arena *a, enum ecosystem ecosystem, const char *spec)
{
	static struct package (*const parsers[])(struct arena *, const char *) = {
		[ECOSYSTEM_NPM] = npm_package,   [ECOSYSTEM_PYTHON] = python_package,
		[ECOSYSTEM_GO] = go_package,     [ECOSYSTEM_DENO] = deno_package,
		[ECOSYSTEM_NUGET] = npm_package,
	};

	return parsers[ecosystem](a, spec);
}

/* Files of the project are no fetched package. */
static bool is_project_file(enum ecosystem ecosystem, const char *spec)
{
	if (is_local(spec))
		return true;
	if (ecosystem == ECOSYSTEM_GO)
		return path_ends(spec, ".go") || !strchr(spec, '.');
	return ecosystem == ECOSYSTEM_DENO && strncmp(spec, "npm:", 4) != 0 &&
	       strncmp(spec, "jsr:", 4) != 0 && !strstr(spec, "://");
}

void mcp_read_package(struct mcp_server *s, const struct argv *v, size_t at)
{
	struct arena *a = &s->w->snapshot->arena;
	struct argv_word inlined;
	const struct argv_word *word;
	const struct launcher *l;
	struct package p;
	struct fact *f;
	size_t first;

	l = find_launcher(a, v, at, &first);
	word = l && l->manager ? find_spec(l, v, first, &inlined) : NULL;
	if (!word || !*word->text || is_project_file(l->ecosystem, word->text))
		return;
	p = parse_spec(a, l->ecosystem, word->text);
	s->package = p.name;
	f = mcp_fact(s, FACT_PACKAGE, word->text, word->span);
	mcp_set(s, f, "manager", l->manager);
	mcp_set(s, f, "name", p.name);
	mcp_set(s, f, "version", p.version);
	if (strchr(word->text, '$')) {
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "the package is named by a variable";
	} else {
		mcp_set(s, f, "pinned", p.pinned ? "true" : "false");
	}
}
