/* JSON: what must be accepted and what must be refused.
 * SPDX-License-Identifier: MIT */
#include "tests/conformance/conformance.h"

#include <string.h>

#include "src/syntax/syntax.h"

static bool accepts(struct check *c, const char *bytes, size_t length)
{
	struct documents documents = { 0 };
	struct problems problems = { 0 };
	struct source source;
	const char *text;
	size_t text_length;

	if (!text_decode(c->arena, bytes, length, &text, &text_length)) {
		buf_puts(c->detail, "not text");
		return false;
	}
	source_init(&source, c->arena, 1, check_cell(c, "file"), text, (uint32_t)text_length);
	json_read(c->arena, &source, false, &documents, &problems);
	buf_puts(c->detail, problems.count ? problems.items[0].message : "accepted");
	return documents.failed == 0;
}

enum verdict check_json(struct check *c)
{
	const char *expect = check_cell(c, "expect");
	bool accept = strcmp(expect, "accept") == 0, accepted;
	size_t length;
	const char *bytes = check_file(c, "file", &length);

	if (!bytes) {
		buf_puts(c->detail, "no such file");
		return VERDICT_MISS;
	}
	accepted = accepts(c, bytes, length);
	if (!accept && strcmp(expect, "reject") != 0)
		return VERDICT_SKIP; /* read all the same: it must not crash */
	return accepted == accept ? VERDICT_PASS : VERDICT_MISS;
}
