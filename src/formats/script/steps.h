/* What the commands of a build step or of a start script mean for the row they belong to.
 *
 * One table of readers for both: where a command stands decides what is said. Values of secrets are
 * never taken. Nothing is run or expanded.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_SCRIPT_STEPS_H
#define FORMATS_SCRIPT_STEPS_H

#include "src/formats/format.h"
#include "src/formats/script/call.h"

enum steps_where {
	STEPS_BUILD = 1, /* RUN of a Dockerfile */
	STEPS_START = 2, /* a script or command of the entry chain, run when the container starts */
};

/* Something fetched into a file, until it is checked or run. */
struct steps_download {
	struct fact *fact;
	const char *path; /* file it is written to, NULL when there is none */
	unsigned text;    /* number of the shell text in which it stands */
	bool git;
};

/* Something secret that a step leaves behind, until it is taken away. */
struct steps_secret {
	struct fact *fact;
	const char *path; /* file, or program that keeps it */
	unsigned text;    /* number of the shell text in which it stands */
};

struct steps {
	struct workspace *w;
	struct row *row;
	enum steps_where where;
	struct {
		struct steps_download *items;
		size_t count, capacity;
	} downloads;
	struct {
		struct steps_secret *items;
		size_t count, capacity;
	} secrets;
	bool powershell;      /* the text is PowerShell's, read by step_powershell() too */
	bool secret_mount;    /* the text runs with a secret mounted */
	unsigned texts;       /* shell texts read so far */
	bool names_socket;    /* some word names an engine's socket */
	bool stops_on_error;  /* set -e holds */
	struct span place;    /* set: the place of every fact, for a text that is no part of a source */
	/* Called for a program or script that a command starts, by its path; may be NULL. */
	void (*starts)(struct steps *s, const struct call *c, const struct shell_word *path);
	void *context; /* of starts */
};

/* Reads the commands of SH, those inside sh -c, eval and heredocs of a shell included. */
void steps_read(struct steps *s, const struct shell *sh);

/* --- for the readers ------------------------------------------------------------------------- */

typedef void steps_reader(struct steps *s, const struct call *c);

struct fact *steps_fact(struct steps *s, enum fact_kind kind, const char *value,
			const struct call *c);
struct fact *steps_fact_at(struct steps *s, enum fact_kind kind, const char *value,
			   struct span span);
void steps_set(struct steps *s, struct fact *f, const char *name, const char *value);
/* FACT_ENTRY_STEP, only for start scripts. */
void steps_entry(struct steps *s, const struct call *c, const char *does);
bool steps_is_shell(const char *program);
bool steps_is_interpreter(const char *program);
bool steps_is_commit(const char *text);

steps_reader step_listen;     /* step_listen.c */
steps_reader step_packages;   /* step_packages.c */
steps_reader step_signatures; /* repositories and package tools without signature checks */
steps_reader step_fetch;      /* step_download.c: curl, wget, git clone … */
steps_reader step_check;      /* checksums and signatures over downloads, and runs of them */
/* The same told by a reader of its own: a fetch into PATH (NULL: none) that is RUN at once or not, a
 * check of what was fetched, a run of the file PATH. */
void steps_fetched(struct steps *s, const char *url, const char *path, const char *tool, bool runs,
		   struct span span);
void steps_checked(struct steps *s);
void steps_ran(struct steps *s, const char *path);
/* Says once that the image has a container engine's client, when a package or program of this NAME is one. */
void steps_tell_client(struct steps *s, const char *name, struct span span);
/* A file that is written as a whole: rules of sudo, settings of package managers. */
void steps_sudoers(struct steps *s, const char *text, size_t length, struct span span);
void steps_settings(struct steps *s, const char *text, size_t length, struct span span);
/* What a PowerShell text fetches and runs. */
void step_powershell(struct steps *s, const struct folded *text);
/* ADD of an address. */
void step_add(struct steps *s, const char *url, const char *target, bool verified,
	      struct span span);
steps_reader step_secret;     /* step_secret.c: secrets that a build step leaves behind */
steps_reader step_sudo;       /* step_privilege.c */
steps_reader step_setuid;
steps_reader step_password;
steps_reader step_group;
steps_reader step_drop;       /* step_drop.c */
steps_reader step_firewall;   /* step_network.c */
steps_reader step_tls;
/* FACT_TLS_OFF for a variable that switches certificate checks off. */
void step_tls_variable(struct steps *s, const char *name, const char *value, struct span span);
steps_reader step_agent;      /* step_agent.c: agent command lines */
steps_reader step_package_run;
steps_reader step_host;       /* step_host.c */
steps_reader step_start;

#endif
