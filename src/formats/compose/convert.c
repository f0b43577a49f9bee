/* Node tree to value tree: aliases, merge keys, tags, variables.
 *
 * Recursion follows the tree, whose depth yaml_read() bounds; aliases add at most as much again,
 * and the depth of the walk is checked against LIMIT_DEPTH here too. SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/limits.h"
#include "src/formats/compose/load.h"

/* The nodes that the walk is inside of: an alias to one of them is a cycle. */
struct inside {
	const struct inside *up;
	const struct node *node;
	unsigned depth;
	const struct cplace *place;
};

static struct cvalue *convert(struct cload *c, const struct node *n, const struct inside *up,
                              const struct cplace *place);

static bool is_integer(const char *text)
{
	if (*text == '+' || *text == '-')
		text++;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return text[2] && text[2 + strspn(text + 2, "0123456789abcdefABCDEF_")] == '\0';
	if (text[0] == '0' && (text[1] == 'o' || text[1] == 'O'))
		return text[2] && text[2 + strspn(text + 2, "01234567_")] == '\0';
	if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
		return text[2] && text[2 + strspn(text + 2, "01_")] == '\0';
	return isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789_")] == '\0';
}

static bool is_float(const char *text)
{
	size_t digits, more = 0;

	if (*text == '+' || *text == '-')
		text++;
	digits = strspn(text, "0123456789");
	text += digits;
	if (*text == '.') {
		more = strspn(text + 1, "0123456789");
		text += more + 1;
	}
	if (digits + more == 0)
		return false;
	if (*text == 'e' || *text == 'E') {
		text++;
		if (*text == '+' || *text == '-')
			text++;
		digits = strspn(text, "0123456789");
		text += digits;
		if (digits == 0)
			return false;
	}
	return *text == '\0';
}

static bool is_word(const char *text, const char *words)
{
	size_t n = strlen(text);

	for (const char *w = words; *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (strcspn(w, " ") == n && strncmp(w, text, n) == 0)
			return true;
	return false;
}

static enum cvalue_kind plain_kind(const char *text)
{
	if (text[0] == '\0' || is_word(text, "~ null Null NULL"))
		return CVALUE_NULL;
	if (is_word(text, "true True TRUE false False FALSE"))
		return CVALUE_BOOLEAN;
	if (is_integer(text))
		return CVALUE_INTEGER;
	return is_float(text) ? CVALUE_FLOAT : CVALUE_STRING;
}

static const char *integer_text(struct cload *c, const char *text)
{
	char digits[72];
	size_t n = 0;
	const char *at = text;
	bool negative = *at == '-';
	int base = 10;
	char *end;
	unsigned long long value;

	at += *at == '-' || *at == '+';
	if (at[0] == '0' && at[1]) {
		char mark = (char)tolower((unsigned char)at[1]);

		base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
		at += mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1;
	}
	for (; *at && n + 1 < sizeof digits; at++)
		if (*at != '_')
			digits[n++] = *at;
	digits[n] = '\0';
	value = strtoull(digits, &end, base);
	if (*end)
		return text;
	return arena_printf(c->arena, "%s%llu", negative ? "-" : "", value);
}

static struct cvalue *typed_scalar(struct cload *c, const struct node *n)
{
	enum cvalue_kind kind = n->style == NODE_PLAIN ? plain_kind(n->text) : CVALUE_STRING;
	struct cvalue *v;

	if (n->tag && strcmp(n->tag, "!!str") == 0)
		kind = CVALUE_STRING;
	v = cvalue_new(c->arena, kind, n->span);
	v->text = n->text;
	if (kind == CVALUE_BOOLEAN)
		v->text = tolower((unsigned char)n->text[0]) == 't' ? "true" : "false";
	else if (kind == CVALUE_INTEGER)
		v->text = integer_text(c, n->text);
	return v;
}

static struct cvalue *convert_scalar(struct cload *c, const struct node *n,
                                     const struct cplace *place)
{
	struct interpolation result;
	const struct dotenv_entry *entry;
	struct cvalue *v;

	if (!strchr(n->text, '$'))
		return typed_scalar(c, n);
	v = cvalue_string(c->arena, n->text, n->span);
	if (!interpolate(c->arena, n->text, cload_variable, c, &result)) {
		cload_report(c, COMPOSE_REFUSED, n->span, "%s: invalid interpolation format: %s",
		             cplace_text(c->arena, place), result.error);
		return v;
	}
	if (result.required && !c->options->review)
		cload_report(c, COMPOSE_REFUSED, n->span, "%s: %s", cplace_text(c->arena, place),
		             result.required);
	v->text = result.text;
	v->raw = n->text;
	v->variable = result.variable;
	entry = result.variable ? env_entry(c->env, result.variable) : NULL;
	if (entry)
		v->origin = entry->value_span;
	v->unresolved = result.missing != NULL;
	if (result.missing)
		v->variable = result.missing;
	v->defaulted = result.defaulted;
	return v;
}

static const char *key_text(struct cload *c, const struct node *key, const struct cplace *place)
{
	const struct node *k = node_resolve(key);

	if (k && k->kind == NODE_SCALAR &&
	    (k->style != NODE_PLAIN || plain_kind(k->text) == CVALUE_STRING))
		return k->text;
	cload_report(c, COMPOSE_REFUSED, key->span, "non-string key %s%s: %s",
	             place ? "in " : "at top level", cplace_text(c->arena, place),
	             k && k->kind == NODE_SCALAR ? k->text : "");
	return k && k->kind == NODE_SCALAR ? k->text : NULL;
}

static bool is_merge_key(const struct node *key)
{
	return key->kind == NODE_SCALAR && key->style == NODE_PLAIN && node_is(key, "<<");
}

static bool visits_itself(const struct inside *up, const struct node *n)
{
	for (; up; up = up->up)
		if (up->node == n)
			return true;
	return false;
}

static void merge_in(struct cload *c, struct cvalue *map, const struct node *from,
                     const struct inside *up, const struct cplace *place)
{
	struct cvalue *added = convert(c, from, up, place);

	if (!cvalue_is_map(added)) {
		if (!added->elided)
			cload_report(c, COMPOSE_REFUSED, from->span,
			             "map merge requires a map or a list of maps as the value");
		return;
	}
	for (size_t i = 0; i < added->count; i++)
		if (!cvalue_member(map, added->items[i].key))
			cvalue_put(c->arena, map, added->items[i].key, added->items[i].key_span,
			           added->items[i].value);
}

static void merge_keys(struct cload *c, struct cvalue *map, const struct node *n,
                       const struct inside *up, const struct cplace *place)
{
	for (uint32_t i = 0; i < n->count; i++) {
		const struct node *value = n->items[i].value;
		const struct node *target = node_resolve(value);

		if (!is_merge_key(n->items[i].key))
			continue;
		if (!target || target->kind != NODE_SEQ) {
			merge_in(c, map, value, up, place);
			continue;
		}
		for (uint32_t j = 0; j < target->count; j++)
			merge_in(c, map, target->items[j].value, up, place);
	}
}

static void convert_map(struct cload *c, struct cvalue *map, const struct node *n,
                        const struct inside *up)
{
	for (uint32_t i = 0; i < n->count; i++) {
		const struct node_item *item = &n->items[i];
		const char *key =
		    is_merge_key(item->key) ? NULL : key_text(c, item->key, up->place);
		struct cplace place = { up->place, key, 0 };

		if (!key)
			continue;
		cvalue_put(c->arena, map, key, item->key->span, convert(c, item->value, up, &place));
	}
	merge_keys(c, map, n, up, up->place);
}

static void convert_list(struct cload *c, struct cvalue *list, const struct node *n,
                         const struct inside *up)
{
	for (uint32_t i = 0; i < n->count; i++) {
		struct cplace place = { up->place, NULL, i };

		cvalue_push(c->arena, list, convert(c, n->items[i].value, up, &place));
	}
}

static struct cvalue *elide(struct cload *c, const struct node *n)
{
	struct cvalue *v = cvalue_new(c->arena, CVALUE_NULL, n->span);

	v->elided = true;
	return v;
}

static struct cvalue *convert_alias(struct cload *c, const struct node *n, const struct inside *up,
                                    const struct cplace *place)
{
	const struct node *target = node_resolve(n);

	if (!target) {
		cload_report(c, COMPOSE_REFUSED, n->span, "unknown anchor \"%s\"",
		             n->anchor ? n->anchor : "");
		return elide(c, n);
	}
	if (visits_itself(up, target)) {
		cload_report(c, COMPOSE_REFUSED, n->span,
		             "cycle detected: %s references the value that it is part of",
		             cplace_text(c->arena, place));
		return elide(c, n);
	}
	return convert(c, target, up, place);
}

static enum cvalue_tag tag_of(const struct node *n)
{
	if (!n->tag)
		return CVALUE_PLAIN;
	if (strcmp(n->tag, "!reset") == 0)
		return CVALUE_RESET;
	return strcmp(n->tag, "!override") == 0 ? CVALUE_OVERRIDE : CVALUE_PLAIN;
}

static struct cvalue *convert(struct cload *c, const struct node *n, const struct inside *up,
                              const struct cplace *place)
{
	struct inside here = { up, n, up ? up->depth + 1 : 0, place };
	struct cvalue *v;

	if (n->kind == NODE_ALIAS)
		return convert_alias(c, n, up, place);
	if (c->budget == 0 || here.depth > LIMIT_DEPTH || cload_exhausted(c, n->span))
		return elide(c, n);
	c->budget--;
	if (n->kind == NODE_MAP || n->kind == NODE_SEQ) {
		v = cvalue_new(c->arena, n->kind == NODE_MAP ? CVALUE_MAP : CVALUE_LIST, n->span);
		if (n->kind == NODE_MAP)
			convert_map(c, v, n, &here);
		else
			convert_list(c, v, n, &here);
	} else if (n->kind == NODE_SCALAR) {
		v = convert_scalar(c, n, place);
	} else {
		v = cvalue_new(c->arena, CVALUE_NULL, n->span);
	}
	v->tag = tag_of(n);
	return v;
}

/* Extension fields come last, on a budget of their own: what they expand to is not worth more. */
static bool is_extension(const struct node *key)
{
	const char *text = node_text(key);

	return text && strncmp(text, "x-", 2) == 0;
}

/* What a document may expand to follows its size: a few aliases of a short file are not worth megabytes. */
static uint32_t visits_for(const struct node *top)
{
	const uint32_t length = top ? top->span.length : 0;

	return length < LIMIT_ALIAS_VISITS - LIMIT_SHORT_VISITS ? LIMIT_SHORT_VISITS + length :
	                                                          LIMIT_ALIAS_VISITS;
}

struct cvalue *convert_document(struct cload *c, const struct node *top)
{
	const struct node *n = node_resolve(top);
	struct inside here = { NULL, n, 0, NULL };
	const uint32_t visits = visits_for(n);
	struct cvalue *map;

	if (!n || n->kind != NODE_MAP)
		return n ? convert(c, n, NULL, NULL) : NULL;
	map = cvalue_new(c->arena, CVALUE_MAP, n->span);
	for (int pass = 0; pass < 2; pass++) {
		c->budget = pass == 0 ? visits : visits / 10;
		for (uint32_t i = 0; i < n->count; i++) {
			const struct node_item *item = &n->items[i];
			struct cplace place;

			if (is_merge_key(item->key) || is_extension(item->key) != (pass == 1))
				continue;
			place = (struct cplace){ NULL, key_text(c, item->key, NULL), 0 };
			if (!place.key)
				continue;
			cvalue_put(c->arena, map, place.key, item->key->span,
			           convert(c, item->value, &here, &place));
		}
		if (c->budget == 0)
			cload_report(c, pass == 0 ? COMPOSE_REFUSED : COMPOSE_NOTICE, n->span,
			             "the file expands to too many values; the rest is not read");
	}
	merge_keys(c, map, n, &here, NULL);
	return map;
}
