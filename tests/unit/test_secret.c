/* No secret value survives in a line that is shown; other text stays as it is.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/secret.h"

static void becomes(const char *line, const char *expected)
{
	struct buf out = { 0 };
	bool changed = secret_redact(&out, line, strlen(line));

	assert_string_equal(buf_text(&out), expected);
	assert_int_equal(changed, strcmp(line, expected) != 0);
	buf_free(&out);
}

static void test_values_behind_names(void **state)
{
	(void)state;
	becomes("      DB_PASSWORD: hunter2", "      DB_PASSWORD: <redacted>");
	becomes("      DB_PASSWORD: two words # why", "      DB_PASSWORD: <redacted> # why");
	becomes("      - DB_PASSWORD=hunter2", "      - DB_PASSWORD=<redacted>");
	becomes("ENV API_KEY=abc123 OTHER=x", "ENV API_KEY=<redacted> OTHER=x");
	becomes("\"API_KEY\": \"abc\\\"123\", \"A\": 1", "\"API_KEY\": \"<redacted>\", \"A\": 1");
	becomes("{ password: abc, port: 1 }", "{ password: <redacted>, port: 1 }");
	becomes("password = 'x y'", "password = '<redacted>'");
	becomes("Authorization: Bearer abc", "Authorization: <redacted>");
	becomes("MYSQL_ROOT_PASSWORD: 1234", "MYSQL_ROOT_PASSWORD: <redacted>");
}

static void test_options(void **state)
{
	(void)state;
	becomes("tool --api-key abc --port 1", "tool --api-key <redacted> --port 1");
	becomes("tool --token=abc x", "tool --token=<redacted> x");
	becomes("\"args\": [\"--api-key\", \"abc\"]", "\"args\": [\"--api-key\", \"<redacted>\"]");
}

static void test_shapes(void **state)
{
	(void)state;
	becomes("x ghp_0123456789abcdefghijABCDEFGHIJ0123 y", "x <redacted> y");
	becomes("url: postgres://user:pw1@db/x", "url: postgres://user:<redacted>@db/x");
	becomes("url: postgres://user:${PW}@db/x", "url: postgres://user:${PW}@db/x");
	becomes("MIIEpAIBAAKCAQEAw0Z1Xb8Yq0h1m2n3o4p5q6r7s8t9u0vAwBxCyDzE1F2G3H4I",
		"<redacted>");
}

static void test_harmless_lines_stay(void **state)
{
	(void)state;
	becomes("  - /var/run/docker.sock:/var/run/docker.sock", "  - /var/run/docker.sock:/var/run/docker.sock");
	becomes("  password: ${DB_PASSWORD}", "  password: ${DB_PASSWORD}");
	becomes("  secretName: db-secret", "  secretName: db-secret");
	becomes("      key: password", "      key: password");
	becomes("automountServiceAccountToken: false", "automountServiceAccountToken: false");
	becomes("image: app@sha256:"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"image: app@sha256:"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	becomes("token: true", "token: true");
	becomes("", "");
	becomes("-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----");
}

static void test_prose(void **state)
{
	struct buf out = { 0 };
	const char *text = "secret: db_password of tool --token=abc";

	(void)state;
	secret_redact_prose(&out, text, strlen(text));
	assert_string_equal(buf_text(&out), "secret: db_password of tool --token=<redacted>");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_behind_names),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_harmless_lines_stay),
		cmocka_unit_test(test_prose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
