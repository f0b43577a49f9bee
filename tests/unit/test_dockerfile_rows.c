/* Dockerfiles as rows: which stage is the image, and what each step says about it.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_help.h"

extern const struct format format_dockerfile, format_compose, format_script;

static const struct format *const dockerfile_only[] = { &format_dockerfile, NULL };
static const struct format *const with_compose[] = { &format_compose, &format_dockerfile,
						     &format_script, NULL };

static void load_one(struct tree *t, struct tree_file *file, const char *text)
{
	*file = (struct tree_file){ "Dockerfile", text };
	tree_load(t, file, 1, dockerfile_only);
}

static void the_last_stage_is_the_image_and_inherits(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct row *row;

	(void)state;
	load_one(&t, &file,
		 "FROM debian:12 AS base\n"
		 "USER app\n"
		 "ENTRYPOINT [\"/bin/app\"]\n"
		 "FROM golang AS build\n"
		 "ARG API_KEY\n"
		 "FROM alpine AS spare\n"
		 "FROM base\n"
		 "COPY --from=build /x /x\n");
	row = row_of(&t.reading, "Dockerfile#stage//3");
	assert_int_equal(row->kind, ROW_BUILD);
	assert_int_equal(row->activity, ROW_ACTIVE);
	assert_value(row, FACT_USER, "app", &t.reading, 2);
	assert_value(row, FACT_ENTRYPOINT, "/bin/app", &t.reading, 3);
	assert_attribute(row, FACT_BASE_IMAGE, "final", "true");
	assert_attribute(row, FACT_BASE_IMAGE, "stage_reference", "true");
	row = row_of(&t.reading, "Dockerfile#stage//build");
	assert_int_equal(row->activity, ROW_ACTIVE);
	assert_attribute(row, FACT_BUILD_ARG, "copied", "true");
	row = row_of(&t.reading, "Dockerfile#stage//spare");
	assert_int_equal(row->activity, ROW_DISABLED);
	tree_free(&t);
}

static void a_target_of_compose_decides_what_is_built(void **state)
{
	static const struct tree_file files[] = {
		{ "web/compose.yaml", "services:\n  web:\n    build:\n      context: .\n"
				      "      target: builder\n" },
		{ "web/Dockerfile", "FROM python:3.12 AS builder\nUSER root\nFROM builder AS dev\n"
				    "RUN usermod -aG docker vscode\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 2, with_compose);
	row = row_of(&t.reading, "web/Dockerfile#stage//builder");
	assert_attribute(row, FACT_BASE_IMAGE, "final", "true");
	row = row_of(&t.reading, "web/Dockerfile#stage//dev");
	assert_attribute(row, FACT_BASE_IMAGE, "final", "false");
	assert_int_equal(row->activity, ROW_DISABLED);
	assert_non_null(strstr(row->activity_reason, "target builder"));
	/* The service starts as the stage does. */
	row = row_of(&t.reading, "web/compose.yaml#service//web");
	assert_value(row, FACT_USER, "root", &t.reading, 2);
	assert_string_equal(fact_of(row, FACT_USER, "root")->via[0].role, "image");
	tree_free(&t);
}

static void no_user_is_an_absence_and_scratch_is_root(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct fact *f;

	(void)state;
	load_one(&t, &file, "FROM debian:12\n");
	f = fact_of(row_of(&t.reading, "Dockerfile#stage//0"), FACT_USER, NULL);
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_null(fact_attribute(f, "uid"));
	tree_free(&t);
	load_one(&t, &file, "FROM scratch\n");
	f = fact_of(row_of(&t.reading, "Dockerfile#stage//0"), FACT_USER, NULL);
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_string_equal(fact_attribute(f, "uid"), "0");
	tree_free(&t);
}

static void base_images_are_known_as_far_as_they_are_written(void **state)
{
	static const struct {
		const char *text, *value, *tag;
		enum provenance provenance;
	} cases[] = {
		{ "ARG V=3.1\nFROM node:$V\n", "node:3.1", "3.1", PROVENANCE_EXPLICIT },
		{ "ARG V\nFROM node:$V\n", "node:$V", NULL, PROVENANCE_UNRESOLVED },
		{ "ARG R\nFROM $R/node:latest\n", "$R/node:latest", "latest", PROVENANCE_EXPLICIT },
		{ "FROM node$V\n", "node", NULL, PROVENANCE_EXPLICIT },
		{ "FROM x-$TARGETARCH\n", "x-$TARGETARCH", NULL, PROVENANCE_UNRESOLVED },
		{ "FROM {{ base }}\n", "{{ base }}", NULL, PROVENANCE_TEMPLATED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tree_file file;
		struct tree t;
		const struct fact *f;

		load_one(&t, &file, cases[i].text);
		f = fact_of(row_of(&t.reading, "Dockerfile#stage//0"), FACT_BASE_IMAGE,
			    cases[i].value);
		assert_int_equal(f->provenance, cases[i].provenance);
		if (cases[i].tag)
			assert_string_equal(fact_attribute(f, "tag"), cases[i].tag);
		tree_free(&t);
	}
}

static void secrets_are_names_never_values(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct row *row;

	(void)state;
	load_one(&t, &file,
		 "FROM x\nENV DB_PASSWORD=hunter2xyz TOKEN_LIMIT=5 KEY_FILE=/run/k\n"
		 "ARG NPM_TOKEN=abcdefgh1234\n"
		 "RUN echo 'root:hunter2xyz' | chpasswd\n"
		 "CMD [\"app\", \"--password\", \"hunter2xyz\"]\n");
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_value_attribute(row, FACT_ENV, "DB_PASSWORD", "secret", "true");
	assert_value_attribute(row, FACT_ENV, "TOKEN_LIMIT", "secret", "false");
	assert_value_attribute(row, FACT_ENV, "KEY_FILE", "secret", "false");
	assert_value_attribute(row, FACT_BUILD_ARG, "NPM_TOKEN", "secret", "true");
	assert_value(row, FACT_PASSWORD_SET, "chpasswd", &t.reading, 4);
	assert_no_text(&t.reading, "hunter2xyz");
	assert_no_text(&t.reading, "abcdefgh1234");
	tree_free(&t);
}

/* The first download of a RUN: what it is run by and whether anything checks it. */
static void assert_download(const char *run, const char *value, const char *piped,
			    const char *verified)
{
	char text[1024];
	struct tree_file file;
	struct tree t;
	const struct row *row;
	const struct fact *f;
	const char *is;

	snprintf(text, sizeof text, "FROM x\n%s\n", run);
	load_one(&t, &file, text);
	row = row_of(&t.reading, "Dockerfile#stage//0");
	f = fact_of(row, FACT_DOWNLOAD, value);
	is = fact_attribute(f, "piped");
	if (strcmp(is ? is : "false", piped) != 0)
		fail_msg("%s: piped is %s", run, is ? is : "not set");
	is = fact_attribute(f, "verified");
	if (!is || strcmp(is, verified) != 0)
		fail_msg("%s: verified is %s", run, is ? is : "not set");
	tree_free(&t);
}

static void downloads_are_followed_to_what_runs_or_checks_them(void **state)
{
	(void)state;
	assert_download("RUN curl -fsSL https://a.b/i.sh | bash -s -- -y", "https://a.b/i.sh", "true",
			"false");
	assert_download("RUN bash -c \"$(curl -fsSL https://a.b/i.sh)\"", "https://a.b/i.sh", "true",
			"false");
	assert_download("RUN sh -c 'wget -qO- https://a.b/i.sh | sh'", "https://a.b/i.sh", "true",
			"false");
	assert_download("RUN curl -o /tmp/i.sh https://a.b/i.sh && sh /tmp/i.sh", "https://a.b/i.sh",
			"true", "false");
	assert_download("RUN wget https://a.b/i.sh\nRUN chmod +x i.sh && ./i.sh", "https://a.b/i.sh",
			"true", "false");
	assert_download("RUN <<EOF\ncurl https://a.b/i.sh | sh\nEOF", "https://a.b/i.sh", "true",
			"false");
	assert_download("ADD https://a.b/i.sh /i.sh\nRUN sh /i.sh", "https://a.b/i.sh", "true",
			"false");
	assert_download("RUN curl -LO https://a.b/x.tgz && tar xf x.tgz", "https://a.b/x.tgz", "false",
			"false");
	assert_download("RUN curl -LO https://a.b/x.tgz && echo \"$S  x.tgz\" | sha256sum -c -",
			"https://a.b/x.tgz", "false", "true");
	assert_download("ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1"
			"dc68d https://a.b/x /x",
			"https://a.b/x", "false", "true");
	assert_download("RUN git clone https://a.b/r && cd r && git checkout "
			"0123456789abcdef0123456789abcdef01234567",
			"https://a.b/r", "false", "true");
	assert_download("RUN git clone -b v1 https://u:p@a.b/r", "https://a.b/r", "false", "false");
}

static void a_request_is_no_download(void **state)
{
	struct tree_file file;
	struct tree t;

	(void)state;
	load_one(&t, &file,
		 "FROM x\nRUN V=$(curl -s https://a.b/version) && echo curl https://c.d | sh\n"
		 "RUN curl -f http://localhost:80/health\n");
	assert_false(has_fact(row_of(&t.reading, "Dockerfile#stage//0"), FACT_DOWNLOAD, NULL));
	tree_free(&t);
}

static void packages_are_pinned_as_their_managers_spell_it(void **state)
{
	static const struct {
		const char *run, *value, *pinned;
	} cases[] = {
		{ "apt-get update && apt-get install -y --no-install-recommends curl=7.1 git", "git",
		  "false" },
		{ "apt-get -y install ./a.deb curl=7.1", "./a.deb, curl=7.1", "true" },
		{ "apk add --no-cache --virtual .build gcc~=12", "gcc~=12", "true" },
		{ "apk add -t .build gcc", "gcc", "false" },
		{ "yum install -y httpd-2.4.6", "httpd-2.4.6", "true" },
		{ "dnf install -y --setopt=a=b httpd", "httpd", "false" },
		{ "pip install --no-cache-dir -r requirements.txt flask==1", "flask==1", "true" },
		{ "python3 -m pip install -U flask==1.0 requests", "requests", "false" },
		{ "npm install -g @scope/tool@1.2.3", "@scope/tool@1.2.3", "true" },
		{ "npm i -g @scope/tool", "@scope/tool", "false" },
		{ "npm ci", "package.json", "true" },
		{ "gem install rails -v 7.0", "rails", "true" },
		{ "go install example.com/x@latest", "example.com/x@latest", "false" },
		{ "env A=1 sudo -E apt-get install -y vim", "vim", "false" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		struct tree_file file;
		struct tree t;

		snprintf(text, sizeof text, "FROM x\nRUN %s\n", cases[i].run);
		load_one(&t, &file, text);
		assert_value_attribute(row_of(&t.reading, "Dockerfile#stage//0"),
				       FACT_PACKAGE_INSTALL, cases[i].value, "pinned",
				       cases[i].pinned);
		tree_free(&t);
	}
}

static void rights_and_their_lines(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct row *row;

	(void)state;
	load_one(&t, &file,
		 "FROM x\n"
		 "RUN useradd app && \\\n"
		 "    echo 'app ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/app && \\\n"
		 "    chmod 4755 /bin/tool && chmod 0755 /bin/other && chmod u+s /bin/third\n"
		 "RUN <<EOF\nusermod -aG docker app\nEOF\n"
		 "RUN --security=insecure --network=host --mount=type=secret,id=k true\n"
		 "COPY .env /app/\n"
		 "ADD src /app\n"
		 "ONBUILD RUN sudo ls\n"
		 "# hadolint ignore=DL3002\n"
		 "USER root\n");
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_value(row, FACT_SUDO, "app ALL=(ALL) NOPASSWD:ALL", &t.reading, 3);
	assert_attribute(row, FACT_SUDO, "all", "true");
	assert_value(row, FACT_SETUID, "chmod 4755 /bin/tool", &t.reading, 4);
	assert_value(row, FACT_SETUID, "chmod u+s /bin/third", &t.reading, 4);
	assert_false(has_fact(row, FACT_SETUID, "chmod 0755 /bin/other"));
	assert_value(row, FACT_GROUP_ADD, "docker", &t.reading, 6);
	assert_value(row, FACT_BUILD_PRIVILEGE, "security.insecure", &t.reading, 8);
	assert_value(row, FACT_BUILD_PRIVILEGE, "network.host", &t.reading, 8);
	assert_value(row, FACT_BUILD_SECRET, "k", &t.reading, 8);
	assert_value_attribute(row, FACT_COPY, ".env", "secret", "true");
	assert_value_attribute(row, FACT_COPY, "src", "add", "true");
	assert_value_attribute(row, FACT_SUDO, "sudo ls", "onbuild", "true");
	assert_value(row, FACT_SUPPRESSION, "hadolint: # hadolint ignore=DL3002", &t.reading, 12);
	tree_free(&t);
}

static void only_the_last_of_equal_instructions_counts(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct row *row;

	(void)state;
	load_one(&t, &file,
		 "FROM x\nUSER root\nRUN id\nUSER 65532:0\nCMD a\nCMD [\"b\", \"c\"]\n"
		 "HEALTHCHECK CMD curl x\nHEALTHCHECK NONE\n");
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_false(has_fact(row, FACT_USER, "root"));
	assert_value_attribute(row, FACT_USER, "65532:0", "gid", "0");
	assert_false(has_fact(row, FACT_COMMAND, "a"));
	assert_value_attribute(row, FACT_COMMAND, "b c", "form", "exec");
	tree_free(&t);
}

static void names_and_content_decide_what_is_a_dockerfile(void **state)
{
	static const char *const yes[] = { "Dockerfile", "a/Containerfile", "Dockerfile.dev",
					   "x.Dockerfile", "dockerfile", "Dockerfile.j2",
					   "sandbox.dockerfile.in", "Dockerfile-prod" };
	static const char *const no[] = { "Dockerfile.dockerignore", "dockerfile.go", "dockerfile.md",
					  "docker-compose.yml", "Dockerfile.py" };

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		assert_true(format_dockerfile.interested(yes[i]));
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		assert_false(format_dockerfile.interested(no[i]));
	assert_true(format_dockerfile.claims("Dockerfile", "# c\nfrom x\n", 11));
	assert_true(format_dockerfile.claims("Dockerfile", "{{ a }}\nRUN x\n", 14));
	assert_false(format_dockerfile.claims("Dockerfile", "hello world\n", 12));
}

static void bases_of_the_tree_are_followed_down(void **state)
{
	static const struct tree_file files[] = {
		{ "a/Dockerfile", "FROM acme/m\nCMD [\"y\"]\n" },
		{ "build.sh", "docker build -t acme/z z\ndocker build -t acme/m m\n"
			      "docker build -t acme/a a\n" },
		{ "compose.yaml", "services:\n  web:\n    image: acme/a\n" },
		{ "m/Dockerfile", "FROM acme/z AS in\nFROM in AS out\n" },
		{ "z/Dockerfile", "FROM debian:12\nRUN chmod u+s /bin/x\nUSER app\n" },
	};
	static const char *const keys[] = { "m/Dockerfile#stage//out", "a/Dockerfile#stage//0",
					    "compose.yaml#service//web" };
	struct tree t;

	(void)state;
	tree_load(&t, files, 5, with_compose);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct row *row = row_of(&t.reading, keys[i]);

		assert_value(row, FACT_USER, "app", &t.reading, 3);
		assert_value(row, FACT_SETUID, "chmod u+s /bin/x", &t.reading, 2);
	}
	tree_free(&t);
}

static void scripts_written_in_place_are_followed(void **state)
{
	static const struct tree_file files[] = {
		{ "Dockerfile", "FROM a AS b\n"
				"COPY <<EOF /out/start.sh\n#!/bin/sh\nexec gosu app x\nEOF\n"
				"FROM a\n"
				"COPY <<-\"EOF\" /entrypoint.sh\n\t#!/bin/sh\n\texec \"$@\"\nEOF\n"
				"RUN cat > /more.sh <<X && chmod +x /more.sh\n"
				"#!/bin/sh\nchmod u+s /bin/y\nX\n"
				"COPY --from=b /out/start.sh /start.sh\n"
				"COPY ./docker/entry.sh /usr/local/bin\n"
				"ENTRYPOINT [\"/entrypoint.sh\"]\n"
				"CMD [\"sh\", \"-c\", \"/start.sh; /more.sh; /usr/local/bin/entry.sh\"]\n" },
		{ "docker/entry.sh", "#!/bin/sh\nsu-exec other z\n" },
	};
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, files, 2, with_compose);
	row = row_of(&t.reading, "Dockerfile#stage//1");
	assert_value_attribute(row, FACT_SCRIPT, "/entrypoint.sh", "state", "read");
	assert_value(row, FACT_PRIVILEGE_DROP, "app", &t.reading, 4);
	assert_value(row, FACT_SETUID, "chmod u+s /bin/y", &t.reading, 13);
	assert_value_attribute(row, FACT_SCRIPT, "docker/entry.sh", "state", "read");
	assert_value(row, FACT_PRIVILEGE_DROP, "other", &t.reading, 2);
	tree_free(&t);
}

static void placeholders_of_templates_are_no_words(void **state)
{
	struct tree_file file;
	struct tree t;
	const struct row *row;

	(void)state;
	load_one(&t, &file,
		 "FROM @BASE@\n"
		 "RUN apt-get install -y {{ range .Packages }} git @OTHER@\n"
		 "RUN curl -o /x {{ url }} && <%= extra %>\n"
		 "USER {{ user }}\n");
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_int_equal(fact_of(row, FACT_BASE_IMAGE, "@BASE@")->provenance, PROVENANCE_TEMPLATED);
	assert_value(row, FACT_PACKAGE_INSTALL, "git", &t.reading, 2);
	assert_value(row, FACT_DOWNLOAD, "{{ url }}", &t.reading, 3);
	assert_int_equal(fact_of(row, FACT_USER, "{{ user }}")->provenance, PROVENANCE_TEMPLATED);
	tree_free(&t);
}

static void hostile_files_end(void **state)
{
	static const char *const texts[] = {
		"", "FROM\n", "FROM x AS x\nFROM x AS x\nCOPY --from=x x x\n", "RUN <<EOF\n",
		"COPY\n", "COPY a\n", "ADD --checksum= \n", "USER \"\nENTRYPOINT [\"", "ONBUILD ONBUILD x\n",
		"FROM a AS b\nFROM b AS a\n", "ENV\nARG\nEXPOSE\n", "RUN sh -c \"sh -c 'sh -c \n",
		"FROM x\nCOPY . ../../..\nENTRYPOINT [\"../../../etc/passwd\"]\n",
		"FROM x\nRUN chmod\nRUN setcap\nRUN curl\nRUN su\nRUN usermod -aG\nRUN git clone\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct tree_file file = { "Dockerfile", texts[i] };
		struct tree t;

		tree_load(&t, &file, 1, with_compose);
		tree_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_stage_is_the_image_and_inherits),
		cmocka_unit_test(a_target_of_compose_decides_what_is_built),
		cmocka_unit_test(no_user_is_an_absence_and_scratch_is_root),
		cmocka_unit_test(base_images_are_known_as_far_as_they_are_written),
		cmocka_unit_test(secrets_are_names_never_values),
		cmocka_unit_test(downloads_are_followed_to_what_runs_or_checks_them),
		cmocka_unit_test(a_request_is_no_download),
		cmocka_unit_test(packages_are_pinned_as_their_managers_spell_it),
		cmocka_unit_test(rights_and_their_lines),
		cmocka_unit_test(only_the_last_of_equal_instructions_counts),
		cmocka_unit_test(names_and_content_decide_what_is_a_dockerfile),
		cmocka_unit_test(bases_of_the_tree_are_followed_down),
		cmocka_unit_test(scripts_written_in_place_are_followed),
		cmocka_unit_test(placeholders_of_templates_are_no_words),
		cmocka_unit_test(hostile_files_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
