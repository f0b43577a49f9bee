/* Targets of patches: patterns for kind and name, selectors of labels and annotations.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <regex.h>
#include <string.h>

#define PATTERN_BYTES 200u
#define PATTERN_SIGNS "*+?|[(.^$"

/* Targets are anchored regular expressions; repeats by number and back references are not read, since a
 * hostile one costs too much. */
static bool pattern_holds(struct arena *a, const char *pattern, const char *text)
{
	regex_t compiled;
	bool holds;

	if (strlen(pattern) > PATTERN_BYTES || strpbrk(pattern, "{\\") ||
	    regcomp(&compiled, arena_printf(a, "^(%s)$", pattern), REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	holds = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return holds;
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

/* One term of a label selector: "key", "!key", "key=value", "key!=value". */
static bool term_holds(struct arena *a, const char *term, size_t length, const struct node *labels)
{
	const char *text = arena_copy(a, term, length), *equals = strchr(text, '=');
	const bool negative = *text == '!' || (equals && equals > text && equals[-1] == '!');
	size_t key_length = equals ? (size_t)(equals - text) - (equals > text && equals[-1] == '!') :
				     strlen(text);
	const char *key = arena_copy(a, text, key_length);
	const char *have = k8s_text(labels, *key == '!' ? key + 1 : key);

	if (!equals)
		return (have != NULL) != negative;
	equals += equals[1] == '=' ? 2 : 1;
	return (have && strcmp(have, equals) == 0) != negative;
}

static bool selector_holds(struct arena *a, const char *selector, const struct node *labels)
{
	while (selector && *selector) {
		size_t length;

		selector += strspn(selector, ", ");
		length = strcspn(selector, ", ");
		if (length && !term_holds(a, selector, length, labels))
			return false;
		selector += length;
	}
	return true;
}

bool kustomize_is_target(struct workspace *w, const struct node *target, const struct k8s_object *o)
{
	struct arena *a = &w->snapshot->arena;

	return text_matches(a, target, "kind", o->kind) && name_matches(w, target, o) &&
	       text_matches(a, target, "group", o->group) &&
	       (!*o->namespace || text_matches(a, target, "namespace", o->namespace)) &&
	       selector_holds(a, k8s_text(target, "labelSelector"),
			      k8s_map(o->metadata, "labels")) &&
	       selector_holds(a, k8s_text(target, "annotationSelector"),
			      k8s_map(o->metadata, "annotations"));
}
