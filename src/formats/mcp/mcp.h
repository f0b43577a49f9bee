/* Reading server entries of MCP clients; used inside src/formats/mcp and by formats that hold such
 * entries.
 *
 * Clients and their shapes: .mcp.json and alike ("mcpServers"), VS Code ("servers"), Zed
 * ("context_servers"), opencode ("mcp"), goose ("extensions"), Continue (a list), Codex
 * ("mcp_servers"), docker agent ("toolsets"), OpenHands (three lists); keys as read in 2026.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_MCP_MCP_H
#define FORMATS_MCP_MCP_H

#include "src/formats/format.h"
#include "src/formats/run/argv.h"

/* A map or list of servers somewhere in a document. */
struct mcp_group {
	const struct node *node;
	const char *key; /* the key under which it stands */
	bool bare;       /* the document itself is the map */
};

#define MCP_WALK_DEPTH 6

/* Walks a document for groups, without recursion and without memory of its own. */
struct mcp_walk {
	struct {
		const struct node *node;
		const char *key;
		uint32_t next;
	} frames[MCP_WALK_DEPTH];
	unsigned depth;
	uint32_t visits;
	const char *path;
	bool found;
};

void mcp_walk_start(struct mcp_walk *walk, const struct node *top, const char *path);
bool mcp_walk_next(struct mcp_walk *walk, struct mcp_group *group);

/* One entry while it is read. */
struct mcp_server {
	struct workspace *w;
	struct input *in;
	struct row *row;
	const struct node *entry; /* a map */
	const char *name;
	struct argv argv;    /* command and arguments */
	size_t program;      /* index of the program behind env, sudo … */
	const char *package; /* launched package, or NULL */
	bool remote;
};

/* Adds the rows of one group. */
void mcp_read_group(struct workspace *w, struct input *in, const struct mcp_group *group);

/* Value of the first KEY (a list ended by NULL) in the entry or its "transport" or "remote" map. */
const struct node *mcp_field(const struct mcp_server *s, const char *const *keys);
struct fact *mcp_fact(const struct mcp_server *s, enum fact_kind kind, const char *value,
                      struct span span);
void mcp_set(const struct mcp_server *s, struct fact *f, const char *name, const char *value);

/* launch.c: command, wrappers, shells, packages, containers. */
void mcp_read_launch(struct mcp_server *s);
/* package.c: the package that a launcher such as npx fetches; words from AT on are read. */
void mcp_read_package(struct mcp_server *s, const struct argv *v, size_t at);
/* True for a version that names one release, such as "1.2.3". */
bool mcp_is_exact_version(const char *text);
/* arguments.c: addresses, directories, listeners in the arguments. */
void mcp_read_arguments(struct mcp_server *s, const struct argv *v, size_t from);
/* remote.c: addresses and authentication. */
void mcp_read_remote(struct mcp_server *s);
struct fact *mcp_url(const struct mcp_server *s, const char *text, struct span span,
                     const char *place);
/* container.c: "docker run" and alike: a row of its own for the container. */
void mcp_read_container(struct mcp_server *s, const struct argv *v, size_t at);
/* gateway.c: "docker mcp gateway run". */
void mcp_read_gateway(struct mcp_server *s, const struct argv *v, size_t from);

#endif
