/* Texts of a reviewed tree with their secrets hidden. A report says the same of many rows, so that short texts are
 * searched once.
 *
 * Ownership: what is handed out lives until the next call; safe_free() accepts a zeroed struct.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_SAFE_H
#define REPORT_SAFE_H

#include "model/buf.h"
#include "model/hash_index.h"

/* How a text is read for secrets. */
enum safe_form {
	SAFE_VALUE, /* as secret_redact() */
	SAFE_PROSE, /* as secret_redact_prose() */
	SAFE_FORM_COUNT,
};

struct safe_texts {
	struct arena arena;
	struct hash_index indices[SAFE_FORM_COUNT]; /* text → index in items */
	struct {
		const char **items;
		size_t count, capacity;
	} texts;
	struct buf last; /* of a text that is not kept */
};

const char *safe_text(struct safe_texts *s, const char *text, enum safe_form form);
void safe_free(struct safe_texts *s);

#endif
