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
	};

	(void)state;
	EACH(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_are_found_however_they_are_asked_for),
		cmocka_unit_test(secrets_that_a_step_leaves_are_told),
		cmocka_unit_test(names_of_secrets_follow_their_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
