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

static void test_names_and_values_that_are_none(void **state)
{
	static const char *const plain[] = { "COOKIE_SAMESITE", "passwordPattern",
					     "requestedIDTokenClaims", "credential_format" };

	(void)state;
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_false(name_is_secret(plain[i]));
	assert_true(name_is_secret("COOKIE_SECRET"));
	assert_string_equal(value_class("env://MODEL_KEY"), "reference");
	assert_string_equal(value_class("MODEL_API_KEY_VALUE"), "placeholder");
	assert_string_equal(value_class("SUMMER_2026"), "literal");
	assert_string_equal(value_class("''"), "empty");
	assert_string_equal(value_class("\"\""), "empty");
	assert_true(name_is_secret("clientSecret") && name_is_secret("accessKeyId"));
	assert_false(name_is_secret("passwordPolicy") || name_is_secret("secretName"));
	assert_string_equal(named_class("DB_PASSWORD", "1234"), "literal");
	assert_string_equal(named_class("DISABLE_PASSWORD", "1"), "setting");
	assert_string_equal(named_class("SPANNER_CONNECTION_STRING", "projects/p/instances/i"), "setting");
	assert_string_equal(named_class("CONNECTION_STRING", "Server=s/x;Pwd=Hr7jQ2kLx9"), "literal");
	assert_string_equal(named_class("TOKEN_TTL", "3600"), "setting");
	assert_string_equal(named_class("GOOGLE_APPLICATION_CREDENTIALS", "/etc/gcs/key.json"),
			    "reference");
	assert_string_equal(named_class("passwordMtime", "2019-03-20T17:54:53Z"), "setting");
	assert_string_equal(named_class("PASSWORD", "/etc/x"), "literal");
	assert_string_equal(value_class("$2a$10$RncPyHW/B5ll2Z3J8s.IBOnbZ9uoJ4J"), "literal");
	assert_string_equal(value_class("$1"), "reference");
	assert_string_equal(named_class("PASSWORD", "2019-03-20-winter"), "literal");
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

static void test_logins_and_headers(void **state)
{
	(void)state;
	becomes("curl -u admin:pw1 https://x", "curl -u admin:<redacted> https://x");
	becomes("curl --user \"admin:pw1\" https://x", "curl --user \"admin:<redacted>\" https://x");
	becomes("docker run -u 1000:1000 x", "docker run -u 1000:1000 x");
	becomes("docker run --user node:node x", "docker run --user node:node x");
	becomes("curl -u admin:$PW https://x", "curl -u admin:$PW https://x");
	becomes("curl -H \"X-Api-Key: pw1\" https://x", "curl -H \"X-Api-Key: <redacted>\" https://x");
	becomes("- {name: API_TOKEN, value: pw1}", "- {name: API_TOKEN, value: <redacted>}");
	becomes("- {name: MODE, value: fast}", "- {name: MODE, value: fast}");
}

/* Only the words before these say that they are secrets. */
static void test_words_after_commands(void **state)
{
	(void)state;
	becomes("ENV OLD_TOKEN pw1 with blanks", "ENV OLD_TOKEN <redacted>");
	becomes("docker login -u x -p pw1 reg.example", "docker login -u x -p <redacted> reg.example");
	becomes("docker run -p 8080:80 login", "docker run -p 8080:80 login");
	becomes("sshpass -p pw1 ssh -p 2222 root@h", "sshpass -p <redacted> ssh -p 2222 root@h");
	becomes("mysql -uroot -ppw1 -e x", "mysql -uroot -p<redacted> -e x");
	becomes("mkdir -p /opt/mysql", "mkdir -p /opt/mysql");
	becomes("echo 'root:pw1' | chpasswd", "echo '<redacted>' | chpasswd");
	becomes("echo $PW | docker login --password-stdin", "echo $PW | docker login --password-stdin");
	becomes("echo pw1 | docker login --password-stdin", "echo <redacted> | docker login --password-stdin");
	becomes("bwrap --setenv API_TOKEN pw1 --bind / /", "bwrap --setenv API_TOKEN <redacted> --bind / /");
	becomes("npm config set //r.example/:_authToken abcd1234", "npm config set //r.example/:_authToken <redacted>");
	becomes("machine h login u password abcd1234", "machine h login u password <redacted>");
	becomes("ssh-keygen -N \"\" -C remark", "ssh-keygen -N \"\" -C remark");
	becomes("apt-get install libsecret-1-dev python3", "apt-get install libsecret-1-dev python3");
	becomes("AUTH: \"Bearer abcdef123456\"", "AUTH: \"Bearer <redacted>\"");
	becomes("git clone https://abcdefghij0123456789@h/x", "git clone https://<redacted>@h/x");
	becomes("git clone https://git@h/x", "git clone https://git@h/x");
}

static void test_secrets_inside_of_references(void **state)
{
	(void)state;
	becomes("DB_TOKEN: ${DB_TOKEN:-pw1}", "DB_TOKEN: ${DB_TOKEN:-<redacted>}");
	becomes("DB_TOKEN: ${DB_TOKEN:-}", "DB_TOKEN: ${DB_TOKEN:-}");
	becomes("DB_TOKEN: ${DB_TOKEN:-$OTHER}", "DB_TOKEN: ${DB_TOKEN:-$OTHER}");
	becomes("PASSWORD=$(echo pw1)", "PASSWORD=$(echo <redacted>)");
	becomes("PASSWORD=$(echo $X | cut -c1)", "PASSWORD=$(echo $X | cut -c1)");
	becomes("value: {{ .x | default \"abcd1234\" }}", "value: {{ .x | default \"<redacted>\" }}");
	becomes("\"{\\\"password\\\": \\\"pw1\\\"}\"", "\"{\\\"password\\\": \\\"<redacted>\\\"}\"");
}

static void test_objects_on_one_line(void **state)
{
	(void)state;
	becomes("{\"kind\":\"Secret\",\"stringData\":{\"a\":\"pw1\"},\"x\":1}",
		"{\"kind\":\"Secret\",\"stringData\":{<redacted>},\"x\":1}");
	becomes("{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}", "{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}");
	becomes("\"headers\": {\"X-Any\": \"pw1\", \"Accept\": \"a\"}, \"b\": 1",
		"\"headers\": {\"X-Any\": \"<redacted>\", \"Accept\": \"a\"}, \"b\": 1");
	becomes("[\"--header\", \"Authorization: Bearer pw1\"], {", "[\"--header\", \"Authorization: <redacted>\"], {");
	becomes("{\"password\": true, \"default\": \"pw1\"}", "{\"password\": true, \"default\": \"<redacted>\"}");
}

static void test_mounted_paths_are_no_secrets(void **state)
{
	(void)state;
	becomes("- $HOME/.git-credentials:/root/.git-credentials:ro", "- $HOME/.git-credentials:/root/.git-credentials:ro");
	becomes("- ./token:/run/token", "- ./token:/run/token");
	becomes("vault.example/api-token: \"pw1\"", "vault.example/api-token: \"<redacted>\"");
}

/* Line LINE of TEXT in a file of this name. */
static void line_becomes(const char *path, const char *text, uint32_t line, const char *expected)
{
	struct arena a = { 0 };
	struct source s;
	struct buf out = { 0 };

	source_init(&s, &a, 1, path, text, (uint32_t)strlen(text));
	secret_redact_line(&out, &s, line);
	assert_string_equal(buf_text(&out), expected);
	buf_free(&out);
	arena_free(&a);
}

static void test_names_on_other_lines(void **state)
{
	static const char pod[] = "env:\n  - name: DB_PASSWORD\n    value: pw1\n"
				  "  - value: pw2\n    name: API_TOKEN\n"
				  "  - name: MODE\n    value: fast\n";
	static const char args[] = "args:\n  - --password\n  - pw1\n  - --port\n  - \"1\"\n";

	(void)state;
	line_becomes("pod.yaml", pod, 3, "    value: <redacted>");
	line_becomes("pod.yaml", pod, 4, "  - value: <redacted>");
	line_becomes("pod.yaml", pod, 7, "    value: fast");
	line_becomes("pod.yaml", args, 3, "  - <redacted>");
	line_becomes("pod.yaml", args, 5, "  - \"1\"");
	line_becomes("e.sh", "tool --token \\\n  pw1 \\\n  x\n", 2, "  <redacted> \\");
}

static void test_keys_headers_and_contents(void **state)
{
	static const char key[] = "args:\n  - |\n    -----BEGIN RSA PRIVATE KEY-----\n    pw1\n"
				  "    -----END RSA PRIVATE KEY-----\n    plain\n";
	static const char compose[] = "secrets:\n  a:\n    content: pw1\n  b: {content: pw1}\n"
				      "configs:\n  a:\n    content: plain\n";
	static const char pairs[] = "- name: A_SECRET\n  value: |\n    pw1\n- name: MODE\n  value: |\n    plain\n";

	(void)state;
	line_becomes("p.yaml", key, 4, "    <redacted>");
	line_becomes("p.yaml", key, 6, "    plain");
	line_becomes("c.yaml", compose, 3, "    content: <redacted>");
	line_becomes("c.yaml", compose, 4, "  b: {content: <redacted>}");
	line_becomes("c.yaml", compose, 7, "    content: plain");
	line_becomes("p.yaml", pairs, 3, "    <redacted>");
	line_becomes("p.yaml", pairs, 6, "    plain");
	line_becomes("a/.env", "A=\"x\npw1\n\"\n", 2, "<redacted>");
	line_becomes("m.json", "{\n \"headers\": {\n  \"X-Any\": \"pw1\",\n  \"Accept\": \"a\"\n }}", 3, "  \"X-Any\": \"<redacted>\",");
	line_becomes("x.sh", "docker login --password-stdin\nadduser me\n", 2, "adduser me");
}

static void test_blocks_and_data(void **state)
{
	static const char secret[] = "kind: Secret\nmetadata:\n  name: keys\ndata:\n  dsn: aGV5\n"
				     "  file: |\n    a: 1\n      b\n---\nkind: ConfigMap\ndata:\n  mode: fast\n";
	static const char block[] = "app:\n  password: |\n    pw1\n\n    pw2\n  mode: |\n    fast\n";

	(void)state;
	line_becomes("s.yaml", secret, 3, "  name: keys");
	line_becomes("s.yaml", secret, 5, "  dsn: <redacted>");
	line_becomes("s.yaml", secret, 7, "    <redacted>");
	line_becomes("s.yaml", secret, 12, "  mode: fast");
	line_becomes("s.yaml", block, 3, "    <redacted>");
	line_becomes("s.yaml", block, 5, "    <redacted>");
	line_becomes("s.yaml", block, 7, "    fast");
}

static void test_environment_files(void **state)
{
	(void)state;
	line_becomes("app/.env", "# why\nDSN=x y\nexport A=\"b\"\nC=$D\n", 1, "# why");
	line_becomes("app/.env", "# why\nDSN=x y\nexport A=\"b\"\nC=$D\n", 2, "DSN=<redacted>");
	line_becomes("app/.env", "# why\nDSN=x y\nexport A=\"b\"\nC=$D\n", 3, "export A=\"<redacted>\"");
	line_becomes("app/.env", "# why\nDSN=x y\nexport A=\"b\"\nC=$D\n", 4, "C=$D");
}

static void test_names_of_keys(void **state)
{
	static const char *const secrets[] = { "AWS_ACCESS_KEY_ID", "aws_access_key_id", "pwd", "DB_PWD",
					       "AZURE_BATCH_KEY", "storage-key", "api.key" };
	static const char *const others[] = { "PWD", "OLDPWD", "KEY_ID", "GPG_KEY", "CACHE_KEY",
					      "SORT_KEY", "PUBLIC_KEY", "TOKEN_LIMIT", "ACCOUNT" };

	(void)state;
	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
		assert_true(name_is_secret(secrets[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(name_is_secret(others[i]));
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
	becomes("agent ALL=(root) NOPASSWD: /x.sh", "agent ALL=(root) NOPASSWD: /x.sh");
	becomes("\"Authorization\": \"Bearer ${T}\"", "\"Authorization\": \"Bearer ${T}\"");
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
		cmocka_unit_test(test_words_after_commands),
		cmocka_unit_test(test_secrets_inside_of_references),
		cmocka_unit_test(test_objects_on_one_line),
		cmocka_unit_test(test_mounted_paths_are_no_secrets),
		cmocka_unit_test(test_keys_headers_and_contents),
		cmocka_unit_test(test_values_behind_names),
		cmocka_unit_test(test_names_and_values_that_are_none),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_logins_and_headers),
		cmocka_unit_test(test_names_on_other_lines),
		cmocka_unit_test(test_blocks_and_data),
		cmocka_unit_test(test_environment_files),
		cmocka_unit_test(test_names_of_keys),
		cmocka_unit_test(test_harmless_lines_stay),
		cmocka_unit_test(test_prose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
