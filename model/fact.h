/* A fact: one thing that a file says, or does not say, about one row, with its provenance.
 *
 * Facts live in the snapshot's arena and are immutable after loading. Values are canonical text for
 * rules and display; secret values are never stored. A fact by absence cites the nearest existing
 * ancestor and names the default and the default's source in `value` and `note`.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_FACT_H
#define MODEL_FACT_H

#include "model/field.h"
#include "model/source.h"

enum fact_kind {
	FACT_NONE,
#define X(constant, name, field, second, title) FACT_##constant,
#include "model/fact_kinds.def"
#undef X
	FACT_KIND_COUNT,
};

struct fact_kind_info {
	const char *name, *title;
	enum field field, second; /* FIELD_NONE when there is no second */
};
extern const struct fact_kind_info fact_kind_table[FACT_KIND_COUNT];

enum provenance {
	PROVENANCE_EXPLICIT,   /* written in a file */
	PROVENANCE_ABSENT,     /* not written; the documented default holds */
	PROVENANCE_TEMPLATED,  /* a template expression; a default may be shown */
	PROVENANCE_UNRESOLVED, /* a variable without a supplied value; the inline default may be shown */
	PROVENANCE_OVERRIDDEN, /* written in several places: `via` is the chain, earliest first */
	PROVENANCE_UNPARSED,   /* the place exists but could not be read */
};
extern const char *const provenance_names[]; /* "explicit", "absent", … */

enum layer {
	LAYER_DECLARED, /* configuration */
	LAYER_OBSERVED, /* a dated export */
};

struct attribute {
	const char *name, *value;
};

/* The value of a hop whose file leaves the setting to the image. */
#define NOT_SET_HERE "not set here"

/* A former value in an override or inheritance chain. */
struct hop {
	struct span span;
	const char *value; /* NULL when not shown */
	const char *role;  /* "pod", "image", "base", … */
};

struct fact {
	enum fact_kind kind;
	enum provenance provenance;
	enum layer layer;
	const char *value; /* never NULL; "" when there is none */
	struct span span;  /* the value or list item; of an absence: the nearest ancestor's key */
	struct attribute *attributes;
	uint32_t attribute_count;
	struct hop *via; /* earlier places, earliest first */
	uint32_t via_count, via_room; /* room: of `via` in memory; 0 when another fact shares it */
	const char *note; /* default's source, or why the value is not known; may be NULL */
	uint32_t row;     /* owner: index into the snapshot's rows */
	uint32_t ordinal; /* place in the owner's facts */
};

enum tri { TRI_FALSE, TRI_TRUE, TRI_UNKNOWN };

/* The attribute's value, or NULL. */
const char *fact_attribute(const struct fact *f, const char *name);
/* True when attribute NAME has exactly VALUE. */
bool fact_attribute_is(const struct fact *f, const char *name, const char *value);
/* True when the value is known: explicit, overridden or absent (with its default). */
bool fact_is_known(const struct fact *f);
/* True when F exists and was written somewhere (explicit or overridden). */
bool fact_is_written(const struct fact *f);
/* The value as a boolean: "true"/"false" in any case, also yes/no/on/off; unknown provenance or other
 * text is TRI_UNKNOWN. NULL is TRI_UNKNOWN. */
enum tri fact_truth(const struct fact *f);
bool fact_is(const struct fact *f, const char *value);       /* exact */
bool fact_is_nocase(const struct fact *f, const char *value); /* ASCII case ignored */
/* The value as a non-negative number; false when it is none. */
bool fact_number(const struct fact *f, uint64_t *out);
enum fact_kind fact_kind_by_name(const char *name); /* FACT_NONE when unknown */

#endif
