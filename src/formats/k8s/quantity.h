/* Quantities of the API: "500m", "1.5Gi", "2e3".
 *
 * Source: apimachinery's resource.Quantity [known]: a decimal number with one of the suffixes n u m k M G T P E,
 * Ki Mi Gi Ti Pi Ei, or with an exponent; nothing else, no blanks.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_QUANTITY_H
#define FORMATS_K8S_QUANTITY_H

#include "src/formats/k8s/k8s.h"

/* The number that TEXT (may be NULL) stands for; false when it is no quantity. */
bool quantity_read(const char *text, double *out);
/* Reports limits and requests of CONTAINER that are no quantities or hardly meant so. */
void quantity_check(struct workspace *w, const struct k8s_object *o, const struct node *container);
/* What is odd about TEXT as an amount of RESOURCE, as a note; NULL when nothing is. */
const char *quantity_note(const char *resource, const char *text);

#endif
