/* A small snapshot and a stand-in for the hash, for the tests of cells, reviews and reports.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_REVIEW_HELP_H
#define TESTS_REVIEW_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/finding.h"
#include "model/match.h"
#include "src/repo/digest.h"

#define HELP_TEXT                                                                                  \
	"services:\n"                                                                              \
	"  agent:\n"                                                                               \
	"    image: acme/agent:1\n"                                                                \
	"    user: root\n"                                                                         \
	"    volumes:\n"                                                                           \
	"      - /var/run/docker.sock:/var/run/docker.sock\n"

static inline struct span help_span(const struct source *s, const char *needle)
{
	const char *at = strstr(s->bytes, needle);

	assert_non_null(at);
	return (struct span){ s->id, (uint32_t)(at - s->bytes), (uint32_t)strlen(needle) };
}

/* One service with an image, a user and the engine's socket. */
static inline struct row *help_snapshot(struct snapshot *s)
{
	struct artifact *a = snapshot_add_artifact(s, "compose.yml");
	struct source *source = snapshot_add_source(s, "compose.yml", HELP_TEXT,
						    sizeof HELP_TEXT - 1);
	struct row_spec spec = { .path = "compose.yml", .object_kind = "service", .unit = "agent",
				 .kind = ROW_MAIN, .role = ROLE_AGENT, .format = FORMAT_COMPOSE,
				 .span = help_span(source, "agent") };
	struct row *row;
	struct fact *f;

	*a = (struct artifact){ .index = a->index, .path = a->path, .format = FORMAT_COMPOSE,
				.state = ARTIFACT_ASSESSED, .has_digest = true,
				.source = source, .bytes = sizeof HELP_TEXT - 1 };
	digest_sha256(HELP_TEXT, sizeof HELP_TEXT - 1, a->sha256);
	s->scope = (struct scope){ .root = "acme", .revision = "", .tree = "not-git",
				   .runtime = "", .os = "", .kubernetes = "", .deployment = "" };
	row = snapshot_add_row(s, &spec);
	snapshot_add_fact(s, row, FACT_IMAGE, "acme/agent:1", help_span(source, "acme/agent:1"));
	snapshot_add_fact(s, row, FACT_USER, "root", help_span(source, "root"));
	f = snapshot_add_fact(s, row, FACT_MOUNT, "/var/run/docker.sock:/var/run/docker.sock",
			      help_span(source, "/var/run/docker.sock:/var/run/docker.sock"));
	snapshot_set_attribute(s, f, "type", "bind");
	snapshot_set_attribute(s, f, "source", "/var/run/docker.sock");
	snapshot_set_attribute(s, f, "target", "/var/run/docker.sock");
	snapshot_set_attribute(s, f, "read_only", "false");
	s->finished = true;
	return row;
}

#endif
