/* Helm templates: YAML with expressions in it, read without rendering.
 *
 * A copy of the bytes of equal length, in which every expression is hidden, is parsed; spans therefore
 * hold for the file itself. An expression inside a value makes that value templated. One that stands on
 * lines of its own puts in whole settings: it is remembered as opaque, with the key it belongs to.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_TEMPLATE_H
#define FORMATS_K8S_TEMPLATE_H

#include "src/formats/k8s/k8s.h"

/* Parses IN with its expressions hidden; fills in->documents and file->opaques. */
void template_read(struct workspace *w, struct input *in, struct k8s_file *file);
/* The opaque expression that may set what a fact of KIND says of T, or NULL. */
const struct k8s_opaque *template_opaque(const struct k8s_target *t, enum fact_kind kind);
/* What is known of an expression: its default in the chart's values.yaml, in words; NULL when nothing.
 * FIELD names a key inside the default when that is a map (NULL: the default itself). */
const char *template_default(const struct workspace *w, struct span expression, const char *field);
/* Where, in what O puts in, a fact of KIND has its value ("runAsUser"); NULL for all of it. */
const char *template_field(enum fact_kind kind, const struct k8s_opaque *o);

#endif
