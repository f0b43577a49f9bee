/* Targets of patches: patterns for kind and name, selectors of labels and annotations.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <regex.h>
#include <string.h>

#include "model/buf.h"

#define PATTERN_BYTES 200u
#define PATTERN_SIGNS "*+?|[({.^$\\"

/* PATTERN as an extended regular expression, in the arena. Go's escapes for digits, words and signs are known;
 * NULL for others, for repeats by number and for flags: a hostile one costs too much. */
static const char *translate(struct arena *a, const char *pattern)
{
	struct buf out = { 0 };
	const char *text = NULL;
	size_t i;

	buf_puts(&out, "^(");
	for (i = 0; pattern[i] && i < PATTERN_BYTES; i++) {
		if (pattern[i] == '{' || (pattern[i] == '(' && pattern[i + 1] == '?'))
			break;
		if (pattern[i] != '\\') {
			buf_putc(&out, pattern[i]);
			continue;
		}
		i++;
		if (pattern[i] == 'd')
			buf_puts(&out, "[0-9]");
		else if (pattern[i] == 'w')
			buf_puts(&out, "[0-9A-Za-z_]");
		else if (pattern[i] && strchr(".-/+*?()[]|^$", pattern[i]))
			buf_printf(&out, "\\%c", pattern[i]);
		else
			break;
	}
	buf_puts(&out, ")$");
	if (!pattern[i])
		text = arena_strdup(a, buf_text(&out));
	buf_free(&out);
	return text;
}

static bool pattern_holds(struct arena *a, const char *pattern, const char *text)
{
	const char *expression = translate(a, pattern);
	regex_t compiled;
	bool holds;

	if (!expression || regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	holds = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return holds;
}

void kustomize_check_target(struct workspace *w, const struct kustomization *k,
			    const struct node *target)
{
	static const char *const keys[] = { "group", "version", "kind", "name", "namespace" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *pattern = k8s_text(target, keys[i]);

		if (pattern && kustomize_is_pattern(pattern) &&
		    !translate(&w->snapshot->arena, pattern))
			input_problem(w, k->in, k8s_place(target, keys[i]),
				      "kustomization: the pattern of the target's %s is not read, so "
				      "the patch is not applied; supply the output of kustomize build",
				      keys[i]);
	}
}

bool kustomize_is_pattern(const char *text)
{
	return text[strcspn(text, PATTERN_SIGNS)] != '\0';
}

static bool text_matches(struct arena *a, const struct node *target, const char *key,
			 const char *value)
{
	const char *want = k8s_text(target, key);

	return !want || !*want || strcmp(want, value) == 0 ||
	       (kustomize_is_pattern(want) && pattern_holds(a, want, value));
}

/* Patches know an object by its first name and by the one it has by now. */
static bool name_matches(struct workspace *w, const struct node *target, const struct k8s_object *o)
{
	struct arena *a = &w->snapshot->arena;

	return text_matches(a, target, "name", o->name) ||
	       ((o->prefix || o->suffix) && text_matches(a, target, "name", kustomize_name(w, o)));
}

/* VALUE is one of a list "(a, b)". */
static bool in_list(const char *list, const char *value)
{
	const size_t length = value ? strlen(value) : 0;

	for (list += strspn(list, " ("); value && *list && *list != ')'; list += strspn(list, " ,")) {
		const size_t word = strcspn(list, " ,)");

		if (word == length && memcmp(list, value, word) == 0)
			return true;
		list += word;
	}
	return false;
}

/* One term of a label selector: "key", "!key", "key=value", "key!=value", "key in (a,b)", "key notin (a)". */
static bool term_holds(struct arena *a, const char *term, size_t length, const struct node *labels)
{
	const char *text = arena_copy(a, term, length);
	const bool absent = *text == '!';
	const char *name = text + absent + strspn(text + absent, " ");
	const size_t key_length = strcspn(name, "=! ");
	const char *have = k8s_text(labels, arena_copy(a, name, key_length));
	const char *rest = name + key_length + strspn(name + key_length, " ");

	if (strncmp(rest, "in", 2) == 0)
		return in_list(rest + 2, have);
	if (strncmp(rest, "notin", 5) == 0)
		return !in_list(rest + 5, have);
	if (!*rest)
		return (have != NULL) != absent;
	name = rest + strspn(rest, "=! ");
	return (have && strncmp(have, name, strcspn(name, " ")) == 0 && !have[strcspn(name, " ")]) !=
	       (*rest == '!');
}

/* Length of the first term; commas between parentheses do not end it. */
static size_t term_length(const char *selector)
{
	size_t length = strcspn(selector, ",(");

	return selector[length] == '(' ? length + strcspn(selector + length, ")") + 1 : length;
}

static bool selector_holds(struct arena *a, const char *selector, const struct node *labels)
{
	while (selector && *selector) {
		size_t length;

		selector += strspn(selector, ", )");
		length = term_length(selector);
		if (length > strlen(selector))
			return false;
		if (length && !term_holds(a, selector, length, labels))
			return false;
		selector += length;
	}
	return true;
}

static const char *version_of(const struct k8s_object *o)
{
	const char *slash = strchr(o->api_version, '/');

	return slash ? slash + 1 : o->api_version;
}

bool kustomize_is_target(struct workspace *w, const struct node *target, const struct k8s_object *o)
{
	struct arena *a = &w->snapshot->arena;

	return text_matches(a, target, "kind", o->kind) && name_matches(w, target, o) &&
	       text_matches(a, target, "group", o->group) &&
	       text_matches(a, target, "version", version_of(o)) &&
	       (!*o->namespace || text_matches(a, target, "namespace", o->namespace)) &&
	       selector_holds(a, k8s_text(target, "labelSelector"),
			      k8s_map(o->metadata, "labels")) &&
	       selector_holds(a, k8s_text(target, "annotationSelector"),
			      k8s_map(o->metadata, "annotations"));
}
