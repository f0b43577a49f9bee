/* What build steps install, fetch and leave behind, in the shapes people write them.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tree_help.h"

extern const struct format format_dockerfile;

static const struct format *const formats[] = { &format_dockerfile, NULL };

struct expectation {
	const char *text;    /* lines behind "FROM x" */
	enum fact_kind kind;
	const char *value;   /* NULL: there is no such fact */
	uint32_t line;
	const char *attribute, *is; /* attribute NULL: not looked at; is NULL: not set */
};

static void check(const struct expectation *e)
{
	struct tree_file file = { "Dockerfile", NULL };
	struct tree t;
	char text[2048];
	const struct row *row;

	snprintf(text, sizeof text, "FROM x\n%s\n", e->text);
	file.text = text;
	tree_load(&t, &file, 1, formats);
	row = row_of(&t.reading, "Dockerfile#stage//0");
	if (!e->value) {
		if (row_first(row, e->kind, LAYER_DECLARED))
			fail_msg("%s: a fact \"%s\"", e->text,
				 row_first(row, e->kind, LAYER_DECLARED)->value);
	} else {
		assert_value(row, e->kind, e->value, &t.reading, e->line);
		if (e->attribute && !e->is)
			assert_null(fact_attribute(fact_of(row, e->kind, e->value), e->attribute));
		else if (e->attribute)
			assert_value_attribute(row, e->kind, e->value, e->attribute, e->is);
	}
	tree_free(&t);
}

#define EACH(list) \
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) \
		check(&list[i])

static void packages_are_found_however_they_are_asked_for(void **state)
{
	static const struct expectation list[] = {
		{ "run <<EOF\nset -e\napt-get install -y \\\n  curl=7 \\\n  git\nEOF",
		  FACT_PACKAGE_INSTALL, "git", 4, "pinned", "false" },
		{ "RUN [\"sh\", \"-ec\", \"apk --no-cache add git\"]", FACT_PACKAGE_INSTALL, "git", 2,
		  "pinned", "false" },
		{ "RUN dnf -y in git", FACT_PACKAGE_INSTALL, "git", 2, "pinned", "false" },
		{ "RUN npm i --global pnpm@latest", FACT_PACKAGE_INSTALL, "pnpm@latest", 2, "pinned",
		  "false" },
		{ "RUN npm i lodash@^4", FACT_PACKAGE_INSTALL, "lodash@^4", 2, "pinned", "true" },
		{ "RUN pip install -c versions.txt flask", FACT_PACKAGE_INSTALL, "flask", 2, "pinned",
		  "true" },
		{ "RUN go get -tool stringer", FACT_PACKAGE_INSTALL, "stringer", 2, "pinned", "false" },
		{ "RUN go install ./... && go get ./...", FACT_PACKAGE_INSTALL, "./...", 2, "pinned",
		  "true" },
		{ "RUN go install app/cmd/server", FACT_PACKAGE_INSTALL, "app/cmd/server", 2, "pinned",
		  "true" },
	};

	(void)state;
	EACH(list);
}

static void secrets_that_a_step_leaves_are_told(void **state)
{
	static const struct expectation list[] = {
		{ "RUN echo \"//r/:_authToken=${NPM_TOKEN}\" > ~/.npmrc", FACT_SECRET_WRITTEN,
		  "~/.npmrc", 2, "removed", NULL },
		{ "RUN echo \"$NPM_TOKEN\" > ~/.npmrc && npm ci \\\n && rm -f ~/.npmrc",
		  FACT_SECRET_WRITTEN, "~/.npmrc", 2, "removed", "true" },
		{ "RUN echo \"$NPM_TOKEN\" > ~/.npmrc\nRUN rm ~/.npmrc", FACT_SECRET_WRITTEN,
		  "~/.npmrc", 2, "removed", NULL },
		{ "RUN printf %s \"$SSH_PRIVATE_KEY\" | base64 -d | tee /root/.ssh/id_rsa",
		  FACT_SECRET_WRITTEN, "/root/.ssh/id_rsa", 2, NULL, NULL },
		{ "RUN --mount=type=secret,id=k cp /run/secrets/k /root/key", FACT_SECRET_WRITTEN,
		  "/root/key", 2, NULL, NULL },
		{ "RUN aws --profile x configure set aws_secret_access_key $X", FACT_SECRET_WRITTEN,
		  "aws configure set aws_secret_access_key", 2, NULL, NULL },
		{ "RUN echo $P | docker login -u me --password-stdin && docker logout",
		  FACT_SECRET_WRITTEN, "docker login", 2, "removed", "true" },
		{ "RUN npm config set //r/:_authToken=$TOKEN", FACT_SECRET_WRITTEN, "npm config", 2, NULL,
		  NULL },
		{ "RUN git config --global url.https://$TOKEN@h/.insteadOf https://h/",
		  FACT_SECRET_WRITTEN, "git config", 2, NULL, NULL },
		{ "RUN --mount=type=secret,id=g gcloud auth activate-service-account "
		  "--key-file=/run/secrets/g", FACT_SECRET_WRITTEN, NULL, 0, NULL, NULL },
		{ "RUN aws configure set region eu-west-1", FACT_SECRET_WRITTEN, NULL, 0, NULL, NULL },
		{ "RUN echo \"export KEYBOARD=$KEYBOARD PATH=$PATH\" > /etc/x", FACT_SECRET_WRITTEN, NULL,
		  0, NULL, NULL },
		{ "RUN git config --global user.name me", FACT_SECRET_WRITTEN, NULL, 0, NULL, NULL },
	};

	(void)state;
	EACH(list);
}

static void names_of_secrets_follow_their_users(void **state)
{
	static const struct expectation list[] = {
		{ "ARG NEXUS_PSW", FACT_BUILD_ARG, "NEXUS_PSW", 2, "secret", "true" },
		{ "ARG NEXUS_USR", FACT_BUILD_ARG, "NEXUS_USR", 2, "secret", "true" },
		{ "ARG USR_DIR=/usr", FACT_BUILD_ARG, "USR_DIR", 2, "secret", "false" },
		{ "COPY . /app\nENV HF_TOKEN_PATH=/app/token", FACT_ENV, "HF_TOKEN_PATH", 3, "secret",
		  "true" },
		{ "COPY . /app\nENV HF_TOKEN_PATH=/run/token", FACT_ENV, "HF_TOKEN_PATH", 3, "secret",
		  "false" },
		{ "COPY key.json $GOOGLE_APPLICATION_CREDENTIALS", FACT_COPY, "key.json", 2, "secret",
		  "true" },
	};

	(void)state;
	EACH(list);
}

static void powershell_is_read_where_it_is_the_shell(void **state)
{
#define POWERSHELL "SHELL [\"powershell\", \"-Command\"]\n"
	static const struct expectation list[] = {
		{ POWERSHELL "RUN iex ((New-Object Net.WebClient).DownloadString('https://a/i.ps1'))",
		  FACT_DOWNLOAD, "https://a/i.ps1", 3, "piped", "true" },
		{ POWERSHELL "RUN iwr https://a/x.exe -OutFile x.exe; Start-Process ./x.exe -Wait",
		  FACT_DOWNLOAD, "https://a/x.exe", 3, "piped", "true" },
		{ POWERSHELL "RUN iwr https://a/x.zip -OutFile x.zip; if ((Get-FileHash x.zip).Hash -ne 'a') "
		  "{ exit 1 }", FACT_DOWNLOAD, "https://a/x.zip", 3, "verified", "true" },
		{ "RUN pwsh -Command \"irm https://a/i.ps1 | iex\"", FACT_DOWNLOAD, "https://a/i.ps1", 2,
		  "piped", "true" },
		{ POWERSHELL "RUN Write-Host done", FACT_DOWNLOAD, NULL, 0, NULL, NULL },
		{ POWERSHELL "SHELL [\"cmd\", \"/C\"]\nRUN echo iex https://a", FACT_DOWNLOAD, NULL, 0,
		  NULL, NULL },
		{ POWERSHELL "RUN choco install -y git", FACT_PACKAGE_INSTALL, "git", 3, "pinned",
		  "false" },
	};

	(void)state;
	EACH(list);
}

static void images_that_files_come_from_are_told(void **state)
{
	static const struct expectation list[] = {
		{ "COPY --from=nginx:latest /a /b", FACT_COPIED_IMAGE, "nginx:latest", 2, "tag", "latest" },
		{ "RUN --mount=type=bind,from=h/t:1,target=/t /t/x", FACT_COPIED_IMAGE, "h/t:1", 2, "tag",
		  "1" },
		{ "COPY --from=0 /a /b", FACT_COPIED_IMAGE, NULL, 0, NULL, NULL },
	};

	(void)state;
	EACH(list);
}

static void checks_that_are_switched_off(void **state)
{
	static const struct expectation list[] = {
		{ "ENV GIT_SSL_NO_VERIFY=0", FACT_TLS_OFF, "GIT_SSL_NO_VERIFY", 2, NULL, NULL },
		{ "ENV NODE_TLS_REJECT_UNAUTHORIZED=1", FACT_TLS_OFF, NULL, 0, NULL, NULL },
		{ "RUN rpm -Uvh --nofiledigest a.rpm", FACT_PACKAGE_INSTALL, "a package", 2, "unsigned",
		  "true" },
	};

	(void)state;
	EACH(list);
}

static void clients_of_engines_are_told_once(void **state)
{
	static const struct expectation list[] = {
		{ "RUN apt-get install -y git docker-ce-cli=5:27 docker.io", FACT_ENGINE_CLIENT, "docker", 2,
		  NULL, NULL },
		{ "COPY --from=bitnami/kubectl /opt/bin/kubectl /usr/bin/", FACT_ENGINE_CLIENT, "kubectl", 2,
		  NULL, NULL },
		{ "RUN pip install docker", FACT_ENGINE_CLIENT, NULL, 0, NULL, NULL },
	};

	(void)state;
	EACH(list);
}

static void rules_of_sudo_are_read_from_the_file_that_is_copied(void **state)
{
	static const struct tree_file files[] = {
		{ "Dockerfile", "FROM a\nCOPY etc/agent /etc/sudoers.d/\n" },
		{ "etc/agent", "# agent\n# me ALL=(ALL) NOPASSWD:ALL\nroot\tALL=(ALL:ALL) ALL\n"
			       "agent ALL=(ALL) NOPASSWD:ALL\n" },
	};
	const struct row *row;
	struct tree t;

	(void)state;
	tree_load(&t, files, 2, formats);
	row = row_of(&t.reading, "Dockerfile#stage//0");
	assert_value(row, FACT_SUDO, "agent ALL=(ALL) NOPASSWD:ALL", &t.reading, 4);
	assert_null(row_next(row, row_first(row, FACT_SUDO, LAYER_DECLARED)));
	tree_free(&t);
}

static void files_that_copy_brings_along_are_read(void **state)
{
	static const struct expectation list[] = {
		{ "COPY <<EOF /etc/sudoers.d/a\n# a\nme ALL=(ALL) NOPASSWD:ALL\nEOF", FACT_SUDO,
		  "me ALL=(ALL) NOPASSWD:ALL", 4, "all", "true" },
		{ "COPY <<\"R\" /etc/yum.repos.d/a.repo\n[a]\ngpgcheck=0\nR", FACT_PACKAGE_INSTALL,
		  "from a repository", 4, "unsigned", "true" },
	};

	(void)state;
	EACH(list);
}

static void triggers_run_in_the_next_image_only(void **state)
{
	const struct tree_file file = { "Dockerfile", "FROM a:1 AS base\nUSER 1000\nONBUILD USER 0\n"
						      "ONBUILD RUN apk add git\n"
						      "ONBUILD ENTRYPOINT [\"/x\"]\nFROM base AS child\n"
						      "FROM child\n" };
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, &file, 1, formats);
	row = row_of(&t.reading, "Dockerfile#stage//base");
	assert_value(row, FACT_USER, "1000", &t.reading, 2);
	assert_false(has_fact(row, FACT_ENTRYPOINT, "/x"));
	assert_value_attribute(row, FACT_PACKAGE_INSTALL, "git", "onbuild", "true");
	row = row_of(&t.reading, "Dockerfile#stage//child");
	assert_value(row, FACT_USER, "0", &t.reading, 3);
	assert_value(row, FACT_PACKAGE_INSTALL, "git", &t.reading, 4);
	assert_value(row, FACT_ENTRYPOINT, "/x", &t.reading, 5);
	row = row_of(&t.reading, "Dockerfile#stage//2");
	assert_value(row, FACT_USER, "0", &t.reading, 3);
	assert_false(has_fact(row, FACT_PACKAGE_INSTALL, NULL));
	tree_free(&t);
}

static void an_argument_out_of_sight_still_names_a_base(void **state)
{
	const struct tree_file file = { "Dockerfile", "FROM a:1\nARG IMAGE=all-in-one\nFROM $IMAGE\n" };
	struct tree t;
	const struct row *row;

	(void)state;
	tree_load(&t, &file, 1, formats);
	row = row_of(&t.reading, "Dockerfile#stage//1");
	assert_value(row, FACT_BASE_IMAGE, "all-in-one", &t.reading, 3);
	assert_non_null(strstr(fact_of(row, FACT_BASE_IMAGE, NULL)->note, "the build stops"));
	tree_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_are_found_however_they_are_asked_for),
		cmocka_unit_test(secrets_that_a_step_leaves_are_told),
		cmocka_unit_test(names_of_secrets_follow_their_users),
		cmocka_unit_test(powershell_is_read_where_it_is_the_shell),
		cmocka_unit_test(images_that_files_come_from_are_told),
		cmocka_unit_test(checks_that_are_switched_off),
		cmocka_unit_test(clients_of_engines_are_told_once),
		cmocka_unit_test(rules_of_sudo_are_read_from_the_file_that_is_copied),
		cmocka_unit_test(files_that_copy_brings_along_are_read),
		cmocka_unit_test(triggers_run_in_the_next_image_only),
		cmocka_unit_test(an_argument_out_of_sight_still_names_a_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
