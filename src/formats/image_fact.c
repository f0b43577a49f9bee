/* Image references as facts.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

#include <string.h>

#include "src/syntax/dockerfile.h"
#include "src/syntax/image_ref.h"

static void set_parts(struct snapshot *s, struct fact *f, const struct image_ref *ref)
{
	snapshot_set_attribute(s, f, "registry", ref->domain);
	snapshot_set_attribute(s, f, "repository", ref->path);
	if (*ref->tag)
		snapshot_set_attribute(s, f, "tag", ref->tag);
	if (*ref->digest)
		snapshot_set_attribute(s, f, "digest", ref->digest);
}

struct fact *image_fact(struct workspace *w, struct row *r, enum fact_kind kind,
			const char *reference, struct span span)
{
	struct snapshot *s = w->snapshot;
	struct fact *f = snapshot_add_fact(s, r, kind, reference, span);
	struct image_ref ref;

	if (dockerfile_is_templated(reference, strlen(reference))) {
		f->provenance = PROVENANCE_TEMPLATED;
		return f;
	}
	if (strchr(reference, '$') || strstr(reference, "@@")) {
		f->provenance = PROVENANCE_UNRESOLVED;
		return f;
	}
	ref = image_ref_any(&s->arena, reference);
	if (ref.error == IMAGE_REF_OK) {
		set_parts(s, f, &ref);
	} else {
		snapshot_set_attribute(s, f, "invalid", "true");
		f->note = image_ref_message(ref.error);
	}
	return f;
}
