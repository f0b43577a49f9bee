/* Reads quantities and finds those that are refused or hardly meant as written.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/quantity.h"

#include <stdlib.h>
#include <string.h>

static const struct unit {
	const char *suffix;
	double factor;
} units[] = {
	{ "", 1 },	  { "n", 1e-9 },    { "u", 1e-6 },    { "m", 1e-3 },	{ "k", 1e3 },
	{ "M", 1e6 },	  { "G", 1e9 },	    { "T", 1e12 },    { "P", 1e15 },	{ "E", 1e18 },
	{ "Ki", 0x1p10 }, { "Mi", 0x1p20 }, { "Gi", 0x1p30 }, { "Ti", 0x1p40 }, { "Pi", 0x1p50 },
	{ "Ei", 0x1p60 },
};

/* Length of the decimal number that TEXT begins with, 0 for none. */
static size_t number_length(const char *text)
{
	size_t i = *text == '-' || *text == '+', digits = strspn(text + i, "0123456789");

	i += digits;
	if (text[i] == '.') {
		size_t more = strspn(text + i + 1, "0123456789");

		digits += more;
		i += 1 + more;
	}
	return digits ? i : 0;
}

/* Length of an exponent ("e3", "E-2") at TEXT, 0 for none. */
static size_t exponent_length(const char *text)
{
	size_t sign, digits;

	if (*text != 'e' && *text != 'E')
		return 0;
	sign = text[1] == '-' || text[1] == '+';
	digits = strspn(text + 1 + sign, "0123456789");
	return digits ? 1 + sign + digits : 0;
}

bool quantity_read(const char *text, double *out)
{
	size_t length = text ? number_length(text) : 0, exponent;

	if (!length || length > 64)
		return false;
	exponent = exponent_length(text + length);
	if (exponent) {
		*out = strtod(text, NULL);
		return !text[length + exponent];
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(text + length, units[i].suffix) == 0) {
			/* "1E" is an exa and no exponent, "1e" neither. */
			char digits[65];

			memcpy(digits, text, length);
			digits[length] = '\0';
			*out = strtod(digits, NULL) * units[i].factor;
			return true;
		}
	return false;
}

static bool counts_bytes(const char *resource)
{
	return k8s_word_in(resource, "memory ephemeral-storage storage") ||
	       strncmp(resource, "hugepages-", 10) == 0;
}

static bool is_whole(double value)
{
	return value >= 1e15 || value == (double)(long long)value;
}

/* Too few bytes of memory for any process. */
#define MEMORY_LEAST 0x1p20

static const char fraction_of_a_byte[] =
	"a fraction of a byte, about which the API only warns: \"m\" means thousandths, Mi mebibytes";
static const char few_bytes[] = "less than a mebibyte, with which no process starts: a number "
				"without a suffix counts bytes";

static const char *oddity(const char *resource, const char *text, double value)
{
	const bool small = text[strcspn(text, "mun")] != '\0';

	if (value > 0 && counts_bytes(resource) && small && !is_whole(value))
		return fraction_of_a_byte;
	return value > 0 && value < MEMORY_LEAST && strcmp(resource, "memory") == 0 ? few_bytes : NULL;
}

const char *quantity_note(const char *resource, const char *text)
{
	double value;

	if (!quantity_read(text, &value))
		return "no quantity of the API, which refuses the object";
	return oddity(resource, text, value);
}

static void check_one(struct workspace *w, const struct k8s_object *o, const char *list,
		      const char *resource, const struct node *n)
{
	const char *fault = NULL;
	double value;

	if (!node_text(n) || k8s_templated(w, n))
		return;
	if (!quantity_read(n->text, &value))
		fault = "no quantity, and the API server refuses it; write a number with a suffix "
			"such as m, Mi or Gi, without blanks";
	else if (value < 0)
		fault = "negative, and the API server refuses it";
	else
		fault = oddity(resource, n->text, value);
	if (fault)
		input_problem(w, o->in, n->span, "%s \"%s\": the %s of %s is %s", o->kind, o->name,
			      list, resource, fault);
}

/* A request above its limit: the API server refuses the pod. */
static void compare(struct workspace *w, const struct k8s_object *o, const struct node *limits,
		    const char *resource, const struct node *request)
{
	const struct node *limit = k8s_get(limits, resource);
	double a, b;

	if (node_text(request) && node_text(limit) && !k8s_templated(w, request) &&
	    !k8s_templated(w, limit) && quantity_read(request->text, &a) &&
	    quantity_read(limit->text, &b) && a > b)
		input_problem(w, o->in, request->span,
			      "%s \"%s\": request of %s is above its limit and the API server refuses "
			      "the pod", o->kind, o->name, resource);
}

void quantity_check(struct workspace *w, const struct k8s_object *o, const struct node *container)
{
	static const struct {
		const char *key, *word;
	} lists[] = { { "limits", "limit" }, { "requests", "request" } };
	const struct node *resources = k8s_map(container, "resources");
	const struct node *limits = k8s_map(resources, "limits");

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *map = k8s_map(resources, lists[l].key);

		for (uint32_t i = 0; i < node_count(map); i++) {
			const char *resource = node_text(map->items[i].key);
			const struct node *n = node_resolve(map->items[i].value);

			if (!resource || !n)
				continue;
			check_one(w, o, lists[l].word, resource, n);
			if (map != limits)
				compare(w, o, limits, resource, n);
		}
	}
}
