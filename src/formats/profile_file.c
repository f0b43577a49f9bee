/* Seccomp and AppArmor profiles of the tree: what a supplied profile lets through.
 *
 * Source: the OCI runtime specification's seccomp object (defaultAction, syscalls with names, action, args), the
 * includes of Docker's profiles, and apparmor.d(5) for flags and rules.
 * SPDX-License-Identifier: MIT */
#include "src/formats/profile_file.h"

#include <string.h>

/* Where a tree keeps what is installed on nodes: a folder before the name, an ending behind it. */
struct place {
	const char *before, *behind;
};

static const char *first_there(struct workspace *w, const char *folder, const struct place *places,
			       size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const char *found = workspace_find(w, folder,
						   arena_printf(&w->snapshot->arena, "%s%s%s",
								places[i].before, name,
								places[i].behind));

		if (found)
			return found;
	}
	return NULL;
}

const char *seccomp_profile_find(struct workspace *w, const char *folder, const char *name)
{
	static const struct place places[] = {
		{ "", "" }, { "seccomp/", "" }, { "profiles/", "" }, { "seccomp-profiles/", "" },
	};
	const size_t count = sizeof places / sizeof *places;
	const char *found = first_there(w, folder, places, count, name);
	const char *base = path_base(name);

	/* On the node it lies below a folder of its own, in the tree perhaps not. */
	if (!found && strcmp(base, name) != 0)
		found = first_there(w, folder, places, count, base);
	return found;
}

const char *apparmor_profile_find(struct workspace *w, const char *folder, const char *name)
{
	static const struct place places[] = {
		{ "", "" },
		{ "", ".profile" },
		{ "", ".apparmor" },
		{ "apparmor/", "" },
		{ "apparmor/", ".profile" },
		{ "apparmor.d/", "" },
		{ "profiles/", "" },
		{ "apparmor-profiles/", "" },
	};

	return first_there(w, folder, places, sizeof places / sizeof *places, name);
}

/* --- seccomp --------------------------------------------------------------------------------------- */

static const struct node *member(const struct node *map, const char *key)
{
	return node_is_map(map) ? node_resolve(node_get(map, key)) : NULL;
}

static bool lets_through(const struct node *action)
{
	return node_is(action, "SCMP_ACT_ALLOW") || node_is(action, "SCMP_ACT_LOG");
}

static void add(struct workspace *w, struct row *r, enum layer layer, enum fact_kind kind,
		const char *value, struct span span)
{
	snapshot_add_fact(w->snapshot, r, kind, value, span)->layer = layer;
}

/* Calls by which a process leaves its namespaces, or reaches the kernel past them. */
static bool is_dangerous(const char *call)
{
	static const char *const calls[] = {
		"mount",    "unshare",	     "setns",		"bpf",
		"keyctl",   "io_uring_setup", "userfaultfd",	"perf_event_open",
		"kexec_load", "kexec_file_load", "init_module",	"finit_module",
		"open_by_handle_at",
	};

	for (size_t i = 0; call && i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i], call) == 0)
			return true;
	return false;
}

/* Arguments, or capabilities that the container must have, are conditions. */
static bool has_condition(const struct node *rule)
{
	return node_count(member(rule, "args")) || node_count(member(rule, "includes"));
}

static void read_calls(struct workspace *w, struct row *r, enum layer layer, const struct node *rule)
{
	const struct node *names = member(rule, "names"), *name = member(rule, "name");

	if (!lets_through(member(rule, "action")) || has_condition(rule))
		return;
	if (is_dangerous(node_text(name)))
		add(w, r, layer, FACT_SECCOMP_WIDE, node_text(name), name->span);
	for (uint32_t i = 0; i < node_count(names); i++)
		if (is_dangerous(node_text(node_at(names, i))))
			add(w, r, layer, FACT_SECCOMP_WIDE, node_text(node_at(names, i)),
			    node_at(names, i)->span);
}

void seccomp_profile_read(struct workspace *w, struct row *r, enum layer layer, const char *path)
{
	struct input *in = w->open(w, path, FORMAT_SECCOMP);
	const struct node *top, *action, *list;

	if (!in)
		return;
	input_parse(w, in, SYNTAX_JSON);
	top = in->documents.count ? node_resolve(in->documents.items[0]) : NULL;
	action = member(top, "defaultAction");
	list = member(top, "syscalls");
	if (!action) {
		input_problem(w, in, (struct span){ 0 },
			      "seccomp profile: no defaultAction; what it filters is not assessed");
		return;
	}
	if (lets_through(action))
		add(w, r, layer, FACT_SECCOMP_WIDE, "every call that no rule names", action->span);
	for (uint32_t i = 0; i < node_count(list); i++)
		read_calls(w, r, layer, node_at(list, i));
}

/* --- AppArmor -------------------------------------------------------------------------------------- */

struct line {
	const char *text;
	size_t length;
	struct span span;
};

static bool begins(const struct line *line, const char *word)
{
	const size_t length = strlen(word);

	return line->length >= length && memcmp(line->text, word, length) == 0 &&
	       (line->length == length || strchr(" \t,({", line->text[length]) != NULL);
}

static bool holds(const struct line *line, const char *word)
{
	return bytes_hold(line->text, line->length, word);
}

/* "mount," or "allow ptrace,": the rule for everything of its kind. */
static const char *bare_rule(struct line line)
{
	static const char *const kinds[] = { "mount", "ptrace" };

	if (begins(&line, "allow"))
		for (line.text += 5, line.length -= 5;
		     line.length && (*line.text == ' ' || *line.text == '\t'); line.length--)
			line.text++;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const size_t length = strlen(kinds[i]);

		if (line.length > length && memcmp(line.text, kinds[i], length) == 0 &&
		    line.text[length] == ',')
			return kinds[i];
	}
	return NULL;
}

static void read_line(struct workspace *w, struct row *r, enum layer layer, const struct line *line)
{
	static const char *const flags[] = { "complain", "unconfined" };
	const char *rule = bare_rule(*line);

	if (rule)
		add(w, r, layer, FACT_MAC_FLAG,
		    arena_printf(&w->snapshot->arena, "a rule allows every %s", rule), line->span);
	if (!holds(line, "flags"))
		return;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (holds(line, flags[i]))
			add(w, r, layer, FACT_MAC_FLAG,
			    arena_printf(&w->snapshot->arena, "flag %s", flags[i]), line->span);
}

/* The head of a profile: "profile NAME flags=(…) {", or "NAME {" in the old form. */
static bool is_head(const struct line *line)
{
	return line->length && line->text[line->length - 1] == '{' && *line->text != '#' &&
	       (begins(line, "profile") || *line->text == '/');
}

static struct line next_line(const struct source *s, size_t *at)
{
	const char *start = s->bytes + *at;
	const char *end = memchr(start, '\n', s->length - *at);
	size_t length = end ? (size_t)(end - start) : s->length - *at;
	struct line line;

	*at += length + (end != NULL);
	for (; length && (*start == ' ' || *start == '\t'); length--)
		start++;
	for (; length && strchr(" \t\r", start[length - 1]); length--)
		;
	line = (struct line){ start, length,
			      { s->id, (uint32_t)(start - s->bytes), (uint32_t)length } };
	return line;
}

void apparmor_profile_read(struct workspace *w, struct row *r, enum layer layer, const char *path,
			   const char *name)
{
	struct input *in = w->open(w, path, FORMAT_APPARMOR);
	bool ours = true;

	for (size_t at = 0; in && in->source && at < in->source->length;) {
		const struct line line = next_line(in->source, &at);

		if (is_head(&line))
			ours = !begins(&line, "profile") || holds(&line, name);
		if (ours)
			read_line(w, r, layer, &line);
	}
}
