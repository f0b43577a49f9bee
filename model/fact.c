/* Facts: the table of kinds and the questions that rules ask of one.
 * SPDX-License-Identifier: MIT */
#include "model/fact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct fact_kind_info fact_kind_table[FACT_KIND_COUNT] = {
	[FACT_NONE] = { .name = "none", .title = "nothing", .field = FIELD_NONE,
			.second = FIELD_NONE },
#define X(constant, short_name, first_field, second_field, long_name)                              \
	[FACT_##constant] = { .name = (short_name), .title = (long_name),                          \
			      .field = FIELD_##first_field, .second = FIELD_##second_field },
#include "model/fact_kinds.def"
#undef X
};

const char *const provenance_names[] = {
	[PROVENANCE_EXPLICIT] = "explicit",   [PROVENANCE_ABSENT] = "absent",
	[PROVENANCE_TEMPLATED] = "templated", [PROVENANCE_UNRESOLVED] = "unresolved",
	[PROVENANCE_OVERRIDDEN] = "overridden", [PROVENANCE_UNPARSED] = "unparsed",
};

const char *fact_attribute(const struct fact *f, const char *name)
{
	for (uint32_t i = 0; f && i < f->attribute_count; i++)
		if (strcmp(f->attributes[i].name, name) == 0)
			return f->attributes[i].value;
	return NULL;
}

bool fact_attribute_is(const struct fact *f, const char *name, const char *value)
{
	const char *have = fact_attribute(f, name);

	return have && strcmp(have, value) == 0;
}

bool fact_is_known(const struct fact *f)
{
	return f && (f->provenance == PROVENANCE_EXPLICIT ||
		     f->provenance == PROVENANCE_OVERRIDDEN || f->provenance == PROVENANCE_ABSENT);
}

bool fact_is_written(const struct fact *f)
{
	return f && (f->provenance == PROVENANCE_EXPLICIT ||
		     f->provenance == PROVENANCE_OVERRIDDEN);
}

enum tri fact_truth(const struct fact *f)
{
	static const struct {
		const char *text;
		enum tri truth;
	} words[] = {
		{ "true", TRI_TRUE }, { "false", TRI_FALSE }, { "yes", TRI_TRUE },
		{ "no", TRI_FALSE },  { "on", TRI_TRUE },     { "off", TRI_FALSE },
		{ "1", TRI_TRUE },    { "0", TRI_FALSE },
	};

	if (!fact_is_known(f))
		return TRI_UNKNOWN;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(f->value, words[i].text) == 0)
			return words[i].truth;
	return TRI_UNKNOWN;
}

bool fact_is(const struct fact *f, const char *value)
{
	return f && strcmp(f->value, value) == 0;
}

bool fact_is_nocase(const struct fact *f, const char *value)
{
	return f && strcasecmp(f->value, value) == 0;
}

bool fact_number(const struct fact *f, uint64_t *out)
{
	char *end;

	if (!f || f->value[0] < '0' || f->value[0] > '9')
		return false;
	errno = 0;
	*out = strtoull(f->value, &end, 10);
	return errno == 0 && *end == '\0';
}

enum fact_kind fact_kind_by_name(const char *name)
{
	for (unsigned i = 1; i < FACT_KIND_COUNT; i++)
		if (strcmp(fact_kind_table[i].name, name) == 0)
			return (enum fact_kind)i;
	return FACT_NONE;
}
