/* A small snapshot for tests of the screen: two services, a tool, an export, an object, and text
 * that tries to get out of its line. SPDX-License-Identifier: MIT */
#ifndef TESTS_UI_SAMPLE_H
#define TESTS_UI_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/repo/digest.h"
#include "ui/script.h"
#include "ui/state.h"

static const char sample_compose[] =
    "services:\n"
    "  runner:\n"
    "    image: registry.example.net/runner:1.4\n"
    "    user: root\n"
    "    volumes:\n"
    "      - /var/run/docker.sock:/var/run/docker.sock\n"
    "      - ./work:/work\n"
    "    ports:\n"
    "      - \"8080:8080\"\n"
    "  日本語:\n"
    "    image: tools \x1b[31mred \xe2\x80\xaetxt.exe\n"
    "\tcommand: caf\xc3\xa9 \xff\x01 end\n"
    "    privileged: true\n"
    "# a long line: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
    "0123456789 0123456789 0123456789 0123456789 the end\n";

static const char sample_export[] = "[\n"
                                    "  {\n"
                                    "    \"Name\": \"/runner\",\n"
                                    "    \"Config\": { \"User\": \"1000\" }\n"
                                    "  }\n"
                                    "]\n";

static const char sample_mcp[] =
    "{ \"mcpServers\": {\n"
    "    \"fetch\": { \"command\": \"npx\", \"args\": [\"fetcher\"] }\n"
    "} }\n";

struct sample {
	struct snapshot snapshot;
	struct review review;
	struct ui_state ui;
	unsigned events; /* written so far */
	bool quit;
	struct buf out; /* screens that were kept */
};

static struct span sample_find(const struct source *source, const char *text)
{
	const char *at = strstr(source->bytes, text);

	return (struct span){ .source = source->id,
		              .offset = at ? (uint32_t)(at - source->bytes) : 0,
		              .length = (uint32_t)strlen(text) };
}

static struct artifact *sample_file(struct snapshot *s, const char *path, const char *bytes,
                                    enum format_id format, enum artifact_class class)
{
	struct artifact *a = snapshot_add_artifact(s, path);

	a->format = format;
	a->class = class;
	a->state = ARTIFACT_ASSESSED;
	a->source = snapshot_add_source(s, path, arena_copy(&s->arena, bytes, strlen(bytes)),
	                                (uint32_t)strlen(bytes));
	a->has_digest = true;
	digest_sha256(bytes, strlen(bytes), a->sha256);
	return a;
}

static struct row *sample_row(struct snapshot *s, const struct artifact *a, const char *kind,
                              const char *name, enum row_kind row_kind, enum row_role role)
{
	return snapshot_add_row(s, &(struct row_spec){
	                               .path = a->path,
	                               .object_kind = kind,
	                               .unit = name,
	                               .kind = row_kind,
	                               .role = role,
	                               .format = a->format,
	                               .artifact = a->index,
	                               .span = sample_find(a->source, name),
	                           });
}

#define SAMPLE_RULE(name, rule_field, rule_severity)                                               \
	{                                                                                          \
		.slug = name, .field = rule_field, .severity = rule_severity,                      \
		.trigger = "the sample says so",                                                   \
		.consequence = "Whoever is in the workload can do more than its task needs.",      \
		.fix = "Delete the line.", .compatibility = "What used it stops.",                 \
		.owner = "service owner", .restore = "Put the line back.", .concepts = ""          \
	}

static const struct rule sample_rules[] = {
	SAMPLE_RULE("docker-socket", FIELD_CONTROL_CHANNELS, SEVERITY_CRITICAL),
	SAMPLE_RULE("publish-all-interfaces", FIELD_INGRESS, SEVERITY_HIGH),
	SAMPLE_RULE("root-declared", FIELD_IDENTITY, SEVERITY_MEDIUM),
	SAMPLE_RULE("project-writable", FIELD_MOUNTS, SEVERITY_INFO),
	SAMPLE_RULE("privileged-container", FIELD_PRIVILEGE_GAIN, SEVERITY_CRITICAL),
	SAMPLE_RULE("wildcard-role", FIELD_API_AUTHORITY, SEVERITY_HIGH),
};

static void sample_finding(struct snapshot *s, size_t rule, const struct row *row,
                           const struct fact *fact, struct span span, const char *message)
{
	struct finding *f = ARENA_NEW(&s->arena, struct finding);

	*f = (struct finding){
		.id = arena_printf(&s->arena, "%s@%08zx", sample_rules[rule].slug,
		                   s->findings.count + 1),
		.fingerprint = "00",
		.rule = &sample_rules[rule],
		.row = row,
		.rows = arena_array(&s->arena, 1, sizeof(const struct row *)),
		.row_count = 1,
		.severity = sample_rules[rule].severity,
		.evidence = EVIDENCE_DECLARED,
		.message = message,
		.concepts = "",
		.citations = ARENA_NEW(&s->arena, struct citation),
		.citation_count = 1,
	};
	f->rows[0] = row;
	f->citations[0] = (struct citation){ .span = span, .role = "subject", .fact = fact };
	*ARENA_PUSH(&s->arena, &s->findings) = f;
}

static void sample_runner(struct snapshot *s, const struct artifact *compose,
                          const struct artifact *dump)
{
	struct row *r = sample_row(s, compose, "service", "runner", ROW_MAIN, ROLE_AGENT);
	const struct source *c = compose->source;
	struct fact *user, *seen, *socket, *work, *port;

	snapshot_add_fact(s, r, FACT_IMAGE, "registry.example.net/runner:1.4",
	                  sample_find(c, "registry.example.net/runner:1.4"));
	user = snapshot_add_fact(s, r, FACT_USER, "root", sample_find(c, "root"));
	seen = snapshot_add_fact(s, r, FACT_USER, "1000", sample_find(dump->source, "\"1000\""));
	seen->layer = LAYER_OBSERVED;
	socket = snapshot_add_fact(s, r, FACT_MOUNT, "/var/run/docker.sock:/var/run/docker.sock",
	                           sample_find(c, "/var/run/docker.sock:/var/run/docker.sock"));
	snapshot_set_attribute(s, socket, "type", "bind");
	work = snapshot_add_fact(s, r, FACT_MOUNT, "./work:/work", sample_find(c, "./work:/work"));
	port = snapshot_add_fact(s, r, FACT_PORT, "8080:8080", sample_find(c, "\"8080:8080\""));
	snapshot_add_absent(s, r, FACT_READ_ONLY_ROOT, "false", r->span, "the format's default");
	sample_finding(s, 0, r, socket, socket->span,
	               "the workload may ask the engine for a container that mounts the host's "
	               "disk");
	sample_finding(s, 1, r, port, port->span, "port 8080 is published on all interfaces");
	sample_finding(s, 2, r, user, user->span, "runs as root");
	sample_finding(s, 3, r, work, work->span, "the project is writable");
}

static void sample_others(struct snapshot *s, const struct artifact *compose,
                          const struct artifact *mcp)
{
	struct row *tool = sample_row(s, compose, "service", "日本語", ROW_HELPER, ROLE_UNKNOWN);
	struct row *child = sample_row(s, compose, "hook", "command", ROW_HOOK, ROLE_UNKNOWN);
	struct row *object = sample_row(s, mcp, "Role", "mcpServers", ROW_OBJECT, ROLE_UNKNOWN);
	const struct source *c = compose->source;
	struct fact *f;

	child->parent = tool->index + 1;
	snapshot_add_fact(s, tool, FACT_IMAGE, "tools \x1b[31mred \xe2\x80\xaetxt.exe",
	                  sample_find(c, "tools"));
	f = snapshot_add_fact(s, tool, FACT_PRIVILEGED, "true", sample_find(c, "true"));
	sample_finding(s, 4, tool, f, f->span, "it is privileged: \x1b]0;title\x07 done");
	sample_row(s, mcp, "mcp", "fetch", ROW_TOOL_SUBPROCESS, ROLE_MCP_SERVER);
	sample_finding(s, 5, object, NULL, object->span, "the role may do all");
}

static int sample_order(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	if ((*x)->severity != (*y)->severity)
		return (*x)->severity < (*y)->severity ? -1 : 1;
	return strcmp((*x)->id, (*y)->id);
}

static void sample_snapshot(struct snapshot *s)
{
	struct artifact *compose, *mcp, *dump, *other;

	s->scope.root = "sample";
	s->scope.revision = "0123456789abcdef";
	s->scope.tree = "clean";
	s->scope.runtime = s->scope.os = s->scope.kubernetes = s->scope.deployment = "";
	compose =
	    sample_file(s, "deploy/compose.yml", sample_compose, FORMAT_COMPOSE, CLASS_PROPOSED);
	mcp = sample_file(s, ".mcp.json", sample_mcp, FORMAT_MCP, CLASS_PROPOSED);
	dump = sample_file(s, "exports/inspect.json", sample_export, FORMAT_INSPECT, CLASS_EXPORT);
	other = snapshot_add_artifact(s, "vendor/big.yaml");
	other->state = ARTIFACT_NOT_ASSESSED;
	other->reason = "larger than 4 MiB";
	problem_add(&s->arena, &compose->problems, sample_find(compose->source, "command"),
	            "a tab indents the line");
	compose->state = ARTIFACT_PARTIAL;
	compose->reason = "a problem was found";
	sample_runner(s, compose, dump);
	sample_others(s, compose, mcp);
	qsort(s->findings.items, s->findings.count, sizeof *s->findings.items, sample_order);
	s->files_seen = s->artifacts.count;
	s->finished = true;
}

static bool sample_perform(void *context, struct ui_state *ui, unsigned effects)
{
	struct sample *s = context;
	struct event event;
	char id[32];

	if (effects & UI_EVENTS) {
		while (ui_take_event(ui, &event)) {
			snprintf(id, sizeof id, "e%u", ++s->events);
			event.id = id;
			event.who = buf_text(&ui->scope[SCOPE_REVIEWER]);
			event.when = "2026-11-30T20:00:00Z";
			event.act = event.act[0] ? "act" : "";
			ui_event_written(ui, &event);
		}
	}
	if (effects & UI_PREVIEW)
		ui_set_preview(ui, "# Boundary review: sample\n\nText of the report.\n", 47);
	s->quit = s->quit || (effects & UI_QUIT) != 0;
	return !(effects & UI_QUIT);
}

static bool sample_keep(void *context, const char *name, const struct buf *screen, struct buf *why)
{
	struct sample *s = context;

	(void)why;
	buf_printf(&s->out, "=== %s\n", name);
	buf_add(&s->out, screen->bytes, screen->length);
	return true;
}

static inline void sample_init(struct sample *s)
{
	memset(s, 0, sizeof *s);
	sample_snapshot(&s->snapshot);
	ui_init(&s->ui);
	s->ui.digest = digest_sha256;
	buf_puts(&s->ui.scope[SCOPE_REVIEWER], "ana");
	buf_puts(&s->ui.export_path, "report.md");
	ui_set_model(&s->ui, &s->snapshot, &s->review);
}

static inline void sample_free(struct sample *s)
{
	ui_free(&s->ui);
	review_free(&s->review);
	snapshot_free(&s->snapshot);
	buf_free(&s->out);
}

/* Runs a script; true when it could be. The screens are in s->out. */
static inline bool sample_run(struct sample *s, const char *script)
{
	struct script_host host = { .context = s, .perform = sample_perform, .keep = sample_keep };
	struct buf why = { 0 };
	bool ok = script_run(&s->ui, script, &host, &why);

	if (!ok)
		fprintf(stderr, "%s\n", buf_text(&why));
	buf_free(&why);
	return ok;
}

#endif
