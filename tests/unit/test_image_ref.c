/* Image references: what is written, what is assumed, what is refused.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/syntax/image_ref.h"

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
	const char *text, *pulled; /* NULL: refused */
} cases[] = {
	{ "alpine", "docker.io/library/alpine:latest" },
	{ "alpine:3.20@sha256:" HEX64, "docker.io/library/alpine@sha256:" HEX64 },
	{ "ghcr.io/a/b:1", "ghcr.io/a/b:1" },
	{ "localhost:5000/x", "localhost:5000/x:latest" },
	{ "index.docker.io/x", "docker.io/library/x:latest" },
	{ "user/x", "docker.io/user/x:latest" },
	{ "reg:5000/x:t", "reg:5000/x:t" },
	{ "User/x", "User/x:latest" },
	{ "a/B", NULL },
	{ "", NULL },
	{ "a:b:c", NULL },
	{ "a b", NULL },
	{ "${IMAGE}", NULL },
	{ "a@sha256:short", NULL },
	{ "a:-x", NULL },
	{ HEX64, NULL },
};

static void references(void **state)
{
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct image_ref ref = image_ref_pulled(&a, cases[i].text);
		const char *got = ref.error ? NULL : image_ref_text(&a, &ref);

		if (!got != !cases[i].pulled || (got && strcmp(got, cases[i].pulled) != 0))
			fail_msg("%s: %s", cases[i].text,
				 got ? got : image_ref_message(ref.error));
	}
	arena_free(&a);
}

static void as_written_nothing_is_added(void **state)
{
	struct arena a = { 0 };
	struct image_ref ref = image_ref_parse(&a, "library/alpine:3");

	(void)state;
	assert_string_equal(ref.domain, "library");
	assert_string_equal(ref.path, "alpine");
	assert_string_equal(ref.tag, "3");
	assert_string_equal(ref.digest, "");
	assert_true(image_ref_is_canonical(&a, "docker.io/library/alpine"));
	assert_false(image_ref_is_canonical(&a, "alpine"));
	arena_free(&a);
}

static void json(void **state)
{
	struct buf out = { 0 };

	(void)state;
	image_ref_to_json(&out, "a\"b");
	assert_string_equal(out.bytes,
			    "{\"input\":\"a\\\"b\",\"error\":\"image reference is not well formed\"}");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references),
		cmocka_unit_test(as_written_nothing_is_added),
		cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
