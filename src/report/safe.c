/* Texts with their secrets hidden, kept under what they were.
 * SPDX-License-Identifier: MIT */
#include "src/report/safe.h"

#include <string.h>

#include "model/secret.h"

#define KEPT_BYTES 2048  /* of one text */
#define KEPT_TEXTS 50000 /* of both forms */

const char *safe_text(struct safe_texts *s, const char *text, enum safe_form form)
{
	static bool (*const redact[SAFE_FORM_COUNT])(struct buf *, const char *, size_t) = {
		[SAFE_VALUE] = secret_redact,
		[SAFE_PROSE] = secret_redact_prose,
	};
	size_t length;
	const char *kept;
	uint32_t at;
	bool hidden;

	if (hash_index_get(&s->indices[form], text, &at))
		return s->texts.items[at];
	length = strlen(text);
	buf_clear(&s->last);
	hidden = redact[form](&s->last, text, length);
	if (s->texts.count < KEPT_TEXTS && length <= KEPT_BYTES) {
		kept = arena_copy(&s->arena, text, length);
		hash_index_put(&s->arena, &s->indices[form], kept, (uint32_t)s->texts.count);
		*ARENA_PUSH(&s->arena, &s->texts) =
			hidden ? arena_strdup(&s->arena, buf_text(&s->last)) : kept;
	}
	return buf_text(&s->last);
}

void safe_free(struct safe_texts *s)
{
	buf_free(&s->last);
	arena_free(&s->arena);
	*s = (struct safe_texts){ 0 };
}
