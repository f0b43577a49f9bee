/* PowerShell texts of build steps: what they fetch, check and run.
 *
 * Read statement by statement, as text: the language itself is not parsed.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "src/formats/script/steps.h"

/* One statement: LENGTH bytes of the text from AT. */
struct statement {
	const struct folded *text;
	uint32_t at, length;
	const char *words; /* a copy that ends with the statement */
};

/* The next statement behind *AT; false at the end. Quotes keep what they hold together. */
static bool next_statement(struct arena *a, const struct folded *text, uint32_t *at,
			   struct statement *out)
{
	char quote = 0;
	uint32_t start = *at, end;

	if (start >= text->length)
		return false;
	for (end = start; end < text->length; end++) {
		char c = text->text[end];

		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == ';' || c == '\n')
			break;
	}
	*at = end + 1;
	while (start < end && isspace((unsigned char)text->text[start]))
		start++;
	*out = (struct statement){ text, start, end - start,
				   arena_copy(a, text->text + start, end - start) };
	return true;
}

/* The first of the blank-separated NAMES that the statement has as a word, or NULL. */
static const char *word_of(struct arena *a, const struct statement *s, const char *names)
{
	while (*names) {
		size_t n = strcspn(names, " ");
		const char *name = arena_copy(a, names, n);

		for (const char *p = strcasestr(s->words, name); p; p = strcasestr(p + 1, name))
			if ((p == s->words || !isalnum((unsigned char)p[-1])) &&
			    !isalnum((unsigned char)p[n]) && p[n] != '-')
				return name;
		names += n + (names[n] == ' ');
	}
	return NULL;
}

static const char *address_of(struct arena *a, const struct statement *s)
{
	const char *p = strcasestr(s->words, "https://");

	if (!p)
		p = strcasestr(s->words, "http://");
	return p ? arena_copy(a, p, strcspn(p, "'\"`) ;,\n")) : NULL;
}

/* The value behind an option, or the second argument of DownloadFile. */
static const char *file_of(struct arena *a, const struct statement *s)
{
	static const char *const names[] = { "-OutFile", "-Destination", " -o " };
	const char *p = NULL;

	for (size_t i = 0; !p && i < sizeof names / sizeof *names; i++) {
		p = strcasestr(s->words, names[i]);
		if (p)
			p += strlen(names[i]);
	}
	if (!p) {
		p = strcasestr(s->words, "DownloadFile(");
		p = p ? strchr(p, ',') : NULL;
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return NULL;
	p += strspn(p, " :'\"");
	return arena_copy(a, p, strcspn(p, " '\")"));
}

/* The last part of a path in either spelling. */
static const char *last_part(const char *path)
{
	const char *name = strrchr(path, '\\');

	return path_base(name ? name + 1 : path);
}

static bool starts_program(struct arena *a, const struct statement *s)
{
	return s->words[0] == '&' || s->words[0] == '.' ||
	       word_of(a, s, "Start-Process start msiexec powershell pwsh cmd");
}

static void fetch(struct steps *s, struct arena *a, const struct statement *st, const char *tool)
{
	const char *url = address_of(a, st), *path = file_of(a, st);
	bool runs = word_of(a, st, "iex Invoke-Expression") != NULL;

	if (!url && !path && !runs)
		return;
	steps_fetched(s, url ? url : "$", path ? last_part(path) : NULL, tool, runs,
		      folded_span(st->text, st->at, st->length));
}

void step_powershell(struct steps *s, const struct folded *text)
{
	static const char tools[] = "DownloadString DownloadFile DownloadData Invoke-WebRequest iwr "
				    "Invoke-RestMethod irm Start-BitsTransfer curl wget curl.exe";
	struct arena *a = &s->w->snapshot->arena;
	struct statement st;
	uint32_t at = 0;

	while (next_statement(a, text, &at, &st)) {
		const char *tool = word_of(a, &st, tools);

		if (tool) {
			fetch(s, a, &st, tool);
		} else if (word_of(a, &st, "Get-FileHash Get-AuthenticodeSignature certutil")) {
			steps_checked(s);
		} else if (starts_program(a, &st)) {
			size_t count = s->downloads.count;

			for (size_t i = count > LIMIT_DOWNLOADS ? count - LIMIT_DOWNLOADS : 0;
			     i < count; i++) {
				const char *path = s->downloads.items[i].path;

				if (path && strcasestr(st.words, path))
					steps_ran(s, path);
			}
		}
	}
}
