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

static bool is_shouted(const char *part, size_t length)
{
	size_t letters = 0;

	for (size_t i = 0; i < length; i++) {
		const char c = part[i];

		if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
			return false;
		letters += c >= 'A' && c <= 'Z';
	}
	return letters >= 3;
}

/* "<IMAGE_URL>", "__IMAGE__", "REGISTRY/app", "{prefix}app": somebody puts the name in before use. A repository is
 * never written in capitals. */
static bool is_placeholder(const char *reference)
{
	for (const char *part = reference; *part;) {
		const size_t length = strcspn(part, "/:@");

		if (is_shouted(part, length) && (part == reference || part[-1] == '/'))
			return true;
		part += length + (part[length] != '\0');
	}
	return strpbrk(reference, "<>{}%") != NULL;
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
	if (strncmp(reference, "ko://", 5) == 0) {
		f->provenance = PROVENANCE_TEMPLATED;
		f->note = "ko builds the image from this Go package and puts its name here";
		return f;
	}
	if (is_placeholder(reference)) {
		f->provenance = PROVENANCE_TEMPLATED;
		f->note = "a placeholder: what is put in its place is not in the file";
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
