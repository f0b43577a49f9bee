/* Image references by the reference grammar of distribution/reference (2026-04).
 *
 * image_ref_parse() reads the text as written; image_ref_normalize() adds what Docker and the
 * container runtimes assume: docker.io as the registry, library/ for its official images. A tag says
 * where to look today, only a digest says which bytes. Strings lie in the arena.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_IMAGE_REF_H
#define SYNTAX_IMAGE_REF_H

#include "model/buf.h"
#include "model/source.h"

enum image_ref_error {
	IMAGE_REF_OK,
	IMAGE_REF_EMPTY,
	IMAGE_REF_FORMAT,
	IMAGE_REF_UPPERCASE,     /* the repository has capitals */
	IMAGE_REF_TOO_LONG,      /* more than 255 bytes of repository path */
	IMAGE_REF_DIGEST_LENGTH,
	IMAGE_REF_DIGEST_UNSUPPORTED,
	IMAGE_REF_DIGEST_FORMAT,
	IMAGE_REF_IDENTIFIER,    /* 64 hex digits: an image id, not a name */
};

struct image_ref {
	enum image_ref_error error;
	const char *domain; /* "" when none is written */
	const char *path;   /* repository without the domain */
	const char *tag;    /* "" without one */
	const char *digest; /* "algorithm:hex", "" without one */
};

/* As written, nothing added: "busybox" has no domain. */
struct image_ref image_ref_parse(struct arena *a, const char *text);
/* With docker.io and library/ filled in; the tag stays empty when none is written. */
struct image_ref image_ref_normalize(struct arena *a, const char *text);
/* As image_ref_normalize(), but a bare image id or digest is accepted as a digest. */
struct image_ref image_ref_any(struct arena *a, const char *text);
/* What a runtime pulls: normalised, ":latest" without tag and digest, a digest drops the tag. */
struct image_ref image_ref_pulled(struct arena *a, const char *text);
/* True when TEXT is already in its normalised form. */
bool image_ref_is_canonical(struct arena *a, const char *text);
/* "domain/path:tag@digest" from the parts. */
const char *image_ref_text(struct arena *a, const struct image_ref *ref);
/* Lower-case sentence about an error, "" for IMAGE_REF_OK. */
const char *image_ref_message(enum image_ref_error error);

/* {"domain","path","tag","digest","reference"} of the normalised form, or {"error"}. */
void image_ref_to_json(struct buf *out, const char *text);

/* The grammar's parts, for whole strings. */
bool image_ref_is_domain(const char *text, size_t length);
bool image_ref_is_path(const char *text, size_t length);
bool image_ref_is_tag(const char *text, size_t length);

#endif
