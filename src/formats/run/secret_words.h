/* Secrets on a command line: found, named and hidden.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_RUN_SECRET_WORDS_H
#define FORMATS_RUN_SECRET_WORDS_H

#include "src/formats/format.h"
#include "src/formats/run/argv.h"

/* Marks the words from FROM on that hold a secret value; with SAY also adds FACT_SECRET_ARGUMENT or
 * FACT_HEADER for each. */
void secret_words(struct workspace *w, struct row *r, struct argv *v, size_t from, bool say);
/* FACT_HEADER for NAME with the class of VALUE (NULL: a reference). */
struct fact *header_fact(struct workspace *w, struct row *r, const char *name, const char *value,
                         struct span span);

#endif
