/* Steps of a start script that reach the host, start something else, or hand over.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/script/steps.h"

static bool enters_host(const struct call *c)
{
	if (call_is(c, "nsenter")) {
		const char *target = call_option_value(c, "-t");

		if (!target)
			target = call_option_value(c, "--target");
		for (size_t i = 1; !target && i <= call_count(c); i++)
			if (strncmp(call_word(c, i), "-t1", 3) == 0 ||
			    strstr(call_word(c, i), "/proc/1/ns"))
				return true;
		return target && strcmp(target, "1") == 0;
	}
	if (call_is(c, "chroot")) {
		size_t i = call_operand(c, 1, "");
		const char *root = call_word(c, i);

		return i && (strncmp(root, "/host", 5) == 0 || strncmp(root, "/rootfs", 7) == 0 ||
			     strncmp(root, "/mnt/host", 9) == 0 ||
			     strncmp(root, "/proc/1/root", 12) == 0);
	}
	if (call_is_any(c, "kubectl oc") && strcmp(call_word(c, 1), "debug") == 0) {
		for (size_t i = 2; i <= call_count(c); i++)
			if (strncmp(call_word(c, i), "node/", 5) == 0 ||
			    strcmp(call_word(c, i), "--profile=sysadmin") == 0)
				return true;
	}
	return false;
}

void step_host(struct steps *s, const struct call *c)
{
	if (enters_host(c))
		steps_fact(s, FACT_HOST_ENTER, call_text(&s->w->snapshot->arena, c, 0), c);
}

/* Programs whose start is worth a line of the chain. */
static const struct {
	const char *programs, *does;
} notable[] = {
	{ "chown chgrp", "chown" },
	{ "sshd dropbear dockerd containerd crond cron supervisord nginx caddy redis-server "
	  "postgres mongod Xvnc x11vnc vncserver websockify ttyd code-server jupyter",
	  "daemon" },
	{ "mount umount", "mount" },
	{ "iptables ip6tables nft ipset ufw", "firewall" },
	{ "sysctl modprobe insmod", "kernel" },
	{ "docker podman nerdctl kubectl", "engine" },
};

static bool passes_arguments(const struct call *c)
{
	const char *word = call_word(c, 0);

	return strcmp(word, "$@") == 0 || strcmp(word, "${@}") == 0 || strcmp(word, "$*") == 0;
}

static bool looks_like_path(const char *word)
{
	return strchr(word, '/') || path_ends(word, ".sh .bash");
}

static bool is_program_text(const char *word)
{
	return path_ends(word, ".py .js .mjs .cjs .ts .mts");
}

/* The script that a command starts: its own path, or what it gives a shell to read. */
static const struct shell_word *started(const struct call *c)
{
	const struct shell_words *words = &c->command->words;
	size_t i;

	if (steps_is_shell(c->program) || call_is_any(c, "source .")) {
		i = call_operand(c, 1, "-o -O --rcfile");
		return i && !call_option(c, "-c") && looks_like_path(call_word(c, i))
			       ? &words->items[c->at + i]
			       : NULL;
	}
	if (call_is_any(c, "python python3 node bun deno tsx ts-node uv poetry")) {
		i = call_operand(c, 1, "-W -X -r --require --import --loader --env-file");
		while (i && call_is_any(c, "deno uv poetry bun") && strcmp(call_word(c, i), "run") == 0)
			i = call_operand(c, i + 1, "");
		if (i && word_in("python python3 node", call_word(c, i)))
			i = call_operand(c, i + 1, "-W -X -r");
		return i && !call_option(c, "-m") && !call_option(c, "-c") && !call_option(c, "-e") &&
				       is_program_text(call_word(c, i))
			       ? &words->items[c->at + i]
			       : NULL;
	}
	if (call_is_any(c, "gosu su-exec setuidgid s6-setuidgid"))
		return call_count(c) > 1 && looks_like_path(call_word(c, 2))
			       ? &words->items[c->at + 2]
			       : NULL;
	return c->at < words->count && looks_like_path(call_word(c, 0)) ? &words->items[c->at]
									: NULL;
}

void step_start(struct steps *s, const struct call *c)
{
	const struct shell_word *path = started(c);

	for (size_t i = 0; i < sizeof notable / sizeof *notable; i++)
		if (call_is_any(c, notable[i].programs)) {
			steps_entry(s, c, notable[i].does);
			break;
		}
	if ((passes_arguments(c) || c->exec) && c->at < c->command->words.count)
		steps_entry(s, c, "exec");
	if (path && s->starts)
		s->starts(s, c, path);
}
