/* Servers that a start command binds to an address.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/script/steps.h"

/* Programs whose --host names whom they connect to. */
static const char clients[] =
    "psql pg_dump pg_restore pg_isready createdb mysql mysqldump mysqladmin "
    "mariadb mariadb-admin mongo mongosh redis-cli curl wget nc ncat ssh "
    "wait-for-it wait-for-it.sh wait-for cqlsh clickhouse-client influx";

static bool is_own_address(const char *text)
{
	static const char *const names[] = { "localhost", "0.0.0.0", "[::]", "[::1]",
		                             "::1",       "::",      "*" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);

		if (strncasecmp(text, names[i], n) == 0 && (text[n] == ':' || !text[n]))
			return true;
	}
	return strncmp(text, "127.", 4) == 0 && strspn(text, "0123456789.:") == strlen(text);
}

static const char *first_value(const struct call *c, const char *const *options)
{
	const char *value = NULL;

	for (; *options && !value; options++)
		value = call_option_value(c, *options);
	return value;
}

/* The port behind "ADDRESS:PORT", or NULL. */
static const char *own_port(const char *address)
{
	const char *colon = strrchr(address, ':');

	if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return NULL;
	return address[0] == '[' || strchr(address, ':') == colon ? colon + 1 : NULL;
}

void step_listen(struct steps *s, const struct call *c)
{
	static const char *const hosts[] = {
		"--host", "--bind",         "--listen",         "--address",   "--hostname",
		"--addr", "--bind-address", "--listen-address", "--http-host", NULL
	};
	static const char *const ports[] = { "--port", "--http-port", "--sse-port", NULL };
	struct arena *a = &s->w->snapshot->arena;
	const char *host = first_value(c, hosts), *port = first_value(c, ports);
	struct fact *f;

	if (!host || !is_own_address(host) || call_is_any(c, clients))
		return;
	if (own_port(host)) {
		port = own_port(host);
		host = arena_copy(a, host, (size_t)(port - host - 1));
	}
	f = steps_fact(s, FACT_LISTEN, arena_printf(a, "%s:%s", host, port ? port : ""), c);
	steps_set(s, f, "address", host);
	steps_set(s, f, "port", port ? port : "");
	steps_set(s, f, "auth", "unknown");
}
