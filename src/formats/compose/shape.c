/* Checks a value tree against the table of keys and gives scalars their type.
 *
 * The walk follows the table, so its depth is the table's; free content is not entered.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/formats/compose/load.h"
#include "src/syntax/volume_spec.h"

enum {
	S = 1 << CVALUE_STRING,
	I = 1 << CVALUE_INTEGER,
	F = 1 << CVALUE_FLOAT,
	B = 1 << CVALUE_BOOLEAN,
	M = 1 << CVALUE_MAP,
	L = 1 << CVALUE_LIST,
	SCALARS = S | I | F | B,
};

struct cform_info {
	int kinds;
	const char *noun;
};

static const struct cform_info forms[CFORM_COUNT] = {
	[CFORM_ANY] = { SCALARS | M | L, "" },
	[CFORM_BOOLEAN] = { S | B, "a boolean" },
	[CFORM_TEXT] = { S, "a string" },
	[CFORM_SCALAR] = { SCALARS, "a boolean, null, number or string" },
	[CFORM_INTEGER] = { S | I, "an integer" },
	[CFORM_NUMBER] = { S | I | F, "a number" },
	[CFORM_BYTES] = { S | I | F, "a size" },
	[CFORM_SIZE] = { S | I, "an integer" },
	[CFORM_DURATION] = { S, "a duration" },
	[CFORM_MODE] = { S | I, "a file mode" },
	[CFORM_COUNT_OR_ALL] = { S | I, "an integer or \"all\"" },
	[CFORM_MAP] = { M, "a mapping" },
	[CFORM_LIST] = { L, "an array" },
	[CFORM_STRINGS] = { S | L, "a string or an array" },
	[CFORM_PAIRS] = { M | L, "a mapping" },
	[CFORM_SETTINGS] = { M | L, "a mapping" },
	[CFORM_HOSTS] = { M | L, "a mapping" },
	[CFORM_SSH] = { M | L, "a mapping" },
	[CFORM_NAMES] = { M | L, "a mapping" },
	[CFORM_DEPENDS] = { M | L, "a mapping" },
	[CFORM_COMMAND] = { S | L, "a string or an array" },
	[CFORM_TEST] = { S | L, "a string or an array" },
	[CFORM_BUILD] = { S | M, "a string or a mapping" },
	[CFORM_EXTENDS] = { S | M, "a string or a mapping" },
	[CFORM_INCLUDE] = { S | M, "a string or a mapping" },
	[CFORM_PORTS] = { L, "an array" },
	[CFORM_VOLUME] = { S | M, "a string or a mapping" },
	[CFORM_DEVICE] = { S | M, "a string or a mapping" },
	[CFORM_MOUNT] = { S | M, "a string or a mapping" },
	[CFORM_ENV_FILES] = { S | L, "a string or an array" },
	[CFORM_ENV_FILE] = { S | M, "a string or a mapping" },
	[CFORM_GPUS] = { S | L, "\"all\" or an array" },
	[CFORM_REQUEST] = { M, "a mapping" },
	[CFORM_ULIMIT] = { I | S | M, "an integer or a mapping" },
	[CFORM_EXTERNAL] = { S | B | M, "a boolean" },
	[CFORM_OPTION] = { SCALARS | L, "a string or an array" },
};

static bool refuse(struct cload *c, const struct cvalue *v, const struct cplace *place,
                   const char *noun)
{
	const char *where = cplace_text(c->arena, place);

	cload_report(c, COMPOSE_REFUSED, v->span, "%s must be %s",
	             where[0] ? where : "top-level object", noun);
	return false;
}

static const char *boolean_word(const char *text)
{
	static const char *const yes[] = { "true", "yes", "on", "y", "t", "1" };
	static const char *const no[] = { "false", "no", "off", "n", "f", "0" };
	char lower[8] = "";

	if (strlen(text) >= sizeof lower)
		return NULL;
	for (size_t i = 0; text[i]; i++)
		lower[i] = (char)tolower((unsigned char)text[i]);
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
		if (strcmp(lower, yes[i]) == 0)
			return "true";
		if (strcmp(lower, no[i]) == 0)
			return "false";
	}
	return NULL;
}

static bool is_number(const char *text, bool whole)
{
	char *end;

	if (whole)
		(void)strtoll(text, &end, 0);
	else
		(void)strtod(text, &end);
	return end != text && *end == '\0' && !isspace((unsigned char)text[0]);
}

static bool is_duration(const char *text)
{
	static const char *const units[] = { "ns", "us", "µs", "ms", "s", "m", "h", "d", "w" };
	size_t digits, i;

	if (strcmp(text, "0") == 0)
		return true;
	text += *text == '-' || *text == '+';
	do {
		digits = strspn(text, "0123456789.");
		text += digits;
		for (i = 0; digits && i < sizeof units / sizeof units[0]; i++)
			if (strncmp(text, units[i], strlen(units[i])) == 0)
				break;
		if (!digits || i == sizeof units / sizeof units[0])
			return false;
		text += strlen(units[i]);
	} while (*text);
	return true;
}

static struct cvalue *shape_bytes(struct cload *c, struct cvalue *v, enum cform form,
                                  const struct cplace *place)
{
	int64_t bytes;

	if (form == CFORM_SIZE && v->text[0] == '-')
		cload_report(c, COMPOSE_REFUSED, v->span, "%s must be greater than or equal to 0",
		             cplace_text(c->arena, place));
	if (v->kind != CVALUE_STRING)
		return v;
	if (is_number(v->text, true))
		return cvalue_derive(c->arena, v, CVALUE_INTEGER, v->text);
	if (size_parse(v->text, &bytes))
		return cvalue_derive(c->arena, v, CVALUE_INTEGER,
		                     arena_printf(c->arena, "%lld", (long long)bytes));
	refuse(c, v, place, forms[form].noun);
	return v;
}

static struct cvalue *shape_mode(struct cload *c, struct cvalue *v, const struct cplace *place)
{
	char *end;
	long mode;

	if (v->kind != CVALUE_STRING)
		return v;
	mode = strtol(v->text, &end, 8);
	if (*end || end == v->text) {
		refuse(c, v, place, "a file mode");
		return v;
	}
	return cvalue_derive(c->arena, v, CVALUE_INTEGER, arena_printf(c->arena, "%ld", mode));
}

static struct cvalue *shape_boolean(struct cload *c, struct cvalue *v, const struct cplace *place)
{
	const char *word = boolean_word(v->text);

	if (word)
		return cvalue_derive(c->arena, v, CVALUE_BOOLEAN, word);
	refuse(c, v, place, "a boolean");
	return v;
}

static struct cvalue *shape_number(struct cload *c, struct cvalue *v, bool whole, const char *noun,
                                   const struct cplace *place)
{
	if (v->kind != CVALUE_STRING)
		return v;
	if (is_number(v->text, whole))
		return cvalue_derive(c->arena, v, whole ? CVALUE_INTEGER : CVALUE_FLOAT, v->text);
	refuse(c, v, place, noun);
	return v;
}

static struct cvalue *shape_count(struct cload *c, struct cvalue *v, const struct cplace *place)
{
	if (strcmp(v->text, "all") == 0)
		return cvalue_derive(c->arena, v, CVALUE_INTEGER, "-1");
	return shape_number(c, v, true, "an integer or \"all\"", place);
}

static struct cvalue *shape_scalar(struct cload *c, struct cvalue *v, enum cform form,
                                   const struct cplace *place)
{
	const char *noun = forms[form].noun;

	if (v->unresolved && v->text[0] == '\0' && form != CFORM_TEXT && form != CFORM_SCALAR)
		return v;
	if (form == CFORM_BOOLEAN)
		return shape_boolean(c, v, place);
	if (form == CFORM_INTEGER)
		return shape_number(c, v, true, noun, place);
	if (form == CFORM_NUMBER)
		return shape_number(c, v, false, noun, place);
	if (form == CFORM_BYTES || form == CFORM_SIZE)
		return shape_bytes(c, v, form, place);
	if (form == CFORM_MODE)
		return shape_mode(c, v, place);
	if (form == CFORM_COUNT_OR_ALL)
		return shape_count(c, v, place);
	if (form == CFORM_DURATION && !is_duration(v->text))
		refuse(c, v, place, noun);
	if (form == CFORM_TEXT || form == CFORM_SCALAR)
		return v->kind == CVALUE_STRING
		           ? v
		           : cvalue_derive(c->arena, v, CVALUE_STRING, v->text);
	return v;
}

static bool is_choice(const char *text, const char *choices)
{
	size_t n = strlen(text);

	for (const char *w = choices; *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (strcspn(w, " ") == n && strncmp(w, text, n) == 0)
			return true;
	return false;
}

static void check_required(struct cload *c, const struct cvalue *v, const char *required,
                           const struct cplace *place)
{
	for (const char *w = required; w && *w; w += strspn(w, " ")) {
		size_t n = strcspn(w, " ");
		const char *key = arena_copy(c->arena, w, n);

		if (!cvalue_member(v, key))
			cload_report(c, COMPOSE_REFUSED, v->span, "%s: missing property '%s'",
			             cplace_text(c->arena, place), key);
		w += n;
	}
}

/* Extensions are no objects. */
static bool is_name(const char *key)
{
	for (const char *at = key; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			return strncmp(key, "x-", 2) == 0;
	return key[0] != '\0';
}

static void shape_members(struct cload *c, struct cvalue *v, const struct ckey *key,
                          const struct cplace *place)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct ckey *child = schema_child(key, v->items[i].key);
		struct cplace here = { place, v->items[i].key, 0 };

		if (child && (!key->named || is_name(v->items[i].key))) {
			v->items[i].value = shape_value(c, v->items[i].value, child, &here);
			continue;
		}
		cload_report(c, COMPOSE_INCONSISTENT, v->items[i].key_span,
		             "%s%sadditional property '%s' is not allowed",
		             cplace_text(c->arena, place), place ? ": " : "", v->items[i].key);
	}
	check_required(c, v, key->required, place);
}

static void shape_items(struct cload *c, struct cvalue *v, const struct ckey *item,
                        const struct cplace *place)
{
	for (size_t i = 0; i < v->count; i++) {
		struct cplace here = { place, NULL, i };

		v->items[i].value = shape_value(c, v->items[i].value, item, &here);
	}
}

/* Stands for a value that was refused and told. */
static struct cvalue *refused_value(struct cload *c, const struct cvalue *v)
{
	struct cvalue *nothing = cvalue_new(c->arena, CVALUE_NULL, v->span);

	nothing->implied = true;
	return nothing;
}

static bool has_kind(const struct cvalue *v, const struct ckey *key)
{
	return (1 << v->kind) & forms[key->form].kinds;
}

struct cvalue *shape_value(struct cload *c, struct cvalue *v, const struct ckey *key,
                           const struct cplace *place)
{
	enum cvalue_tag tag = v->tag;

	if (v->kind == CVALUE_NULL || v->tag == CVALUE_RESET || key->form == CFORM_ANY || v->elided)
		return v;
	if (!has_kind(v, key)) {
		refuse(c, v, place, forms[key->form].noun);
		if (!cvalue_is_scalar(v) || !(forms[key->form].kinds & S) || key->keys)
			return refused_value(c, v);
		v = cvalue_derive(c->arena, v, CVALUE_STRING, v->text);
	}
	v = canonical_form(c, v, key, place);
	if (cvalue_is_scalar(v)) {
		v = shape_scalar(c, v, key->form, place);
		if (key->choices && !v->unresolved && !is_choice(v->text, key->choices))
			cload_report(c, COMPOSE_REFUSED, v->span, "%s must be one of: %s",
			             cplace_text(c->arena, place), key->choices);
	} else if (v->kind == CVALUE_MAP && key->keys) {
		shape_members(c, v, key, place);
	} else if (v->kind == CVALUE_LIST && key->item) {
		shape_items(c, v, key->item, place);
	}
	v->tag = tag;
	return v;
}

void shape_nulls(struct cload *c, const struct cvalue *v, const struct ckey *key,
                 const struct cplace *place)
{
	const bool pairs = key->form == CFORM_PAIRS || key->form == CFORM_SETTINGS;

	if (key->form == CFORM_ANY || (pairs && v->kind != CVALUE_NULL))
		return;
	if (v->kind == CVALUE_NULL && !key->nullable && key->form != CFORM_COMMAND && !v->elided &&
	    !v->implied)
		cload_report(c, COMPOSE_INCONSISTENT, v->span, "%s must be %s; it has no value",
		             cplace_text(c->arena, place), forms[key->form].noun);
	for (size_t i = 0; i < cvalue_count(v); i++) {
		bool listed = v->kind == CVALUE_LIST;
		const struct ckey *child = listed      ? key->item
		                           : key->keys ? schema_child(key, v->items[i].key)
		                                       : NULL;
		struct cplace here = { place, listed ? NULL : v->items[i].key, i };

		if (child)
			shape_nulls(c, v->items[i].value, child, &here);
	}
}
