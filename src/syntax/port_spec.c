/* Published ports: the parsers.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/port_spec.h"

#include <ctype.h>
#include <string.h>

#include "src/syntax/csv_fields.h"

enum { PORT_MAX = 65535 };

static bool ipv4_valid(const char *text)
{
	unsigned parts = 0;

	for (;; text++) {
		unsigned value = 0, digits = 0;
		const char *from = text;

		while (isdigit((unsigned char)*text) && digits < 4) {
			value = value * 10 + (unsigned)(*text++ - '0');
			digits++;
		}
		if (digits == 0 || value > 255 || (digits > 1 && *from == '0'))
			return false;
		if (++parts == 4)
			return *text == '\0';
		if (*text != '.')
			return false;
	}
}

static bool ipv6_valid(const char *text)
{
	unsigned groups = 0;
	bool gap = false;
	size_t length = strcspn(text, "%");
	const char *end = text + length;

	if (*end == '%' && end[1] == '\0')
		return false;
	if (length >= 2 && text[0] == ':' && text[1] == ':') {
		gap = true;
		text += 2;
	}
	while (text < end) {
		size_t n = strspn(text, "0123456789abcdefABCDEF");

		if (text[n] == '.' && groups <= 6 && *end == '\0')
			return ipv4_valid(text) && (gap || groups == 6);
		if (n == 0 || n > 4 || ++groups > 8)
			return false;
		text += n;
		if (text == end)
			break;
		if (*text++ != ':' || text == end)
			return false;
		if (*text == ':') {
			if (gap)
				return false;
			gap = true;
			text++;
		}
	}
	return gap ? groups < 8 : groups == 8;
}

bool ip_is_valid(const char *text)
{
	return strchr(text, ':') ? ipv6_valid(text) : ipv4_valid(text);
}

static const char *number_error(const char *text, uint32_t *value)
{
	const char *c = text;
	uint64_t n = 0;

	if (*text == '\0')
		return "value is empty";
	if (*c == '+' || *c == '-')
		c++;
	if (*c == '\0')
		return "invalid syntax";
	for (; *c; c++) {
		if (!isdigit((unsigned char)*c))
			return "invalid syntax";
		if (n <= PORT_MAX)
			n = n * 10 + (uint64_t)(*c - '0');
	}
	if ((*text == '-' && n != 0) || n > PORT_MAX)
		return "value out of range (0–65535)";
	*value = (uint32_t)n;
	return NULL;
}

uint32_t port_number(struct arena *a, const char *text, const char **error)
{
	uint32_t value = 0;
	const char *why = number_error(text, &value);

	if (why)
		*error = arena_printf(a, "invalid port '%s': %s", text, why);
	return why ? 0 : value;
}

static uint32_t range_end(struct arena *a, const char *text, const char *which, const char **error)
{
	uint32_t value = 0;
	const char *why = number_error(text, &value);

	if (why && !*error)
		*error = arena_printf(a, "invalid %s port '%s': %s", which, text, why);
	return value;
}

struct port_range port_range_parse(struct arena *a, const char *text, const char **error)
{
	struct port_range range = { 0, 0 };
	const char *dash = strchr(text, '-');
	const char *why = NULL;

	if (*text == '\0') {
		*error = "empty string specified for ports";
		return range;
	}
	range.begin =
	    range_end(a, dash ? arena_copy(a, text, (size_t)(dash - text)) : text, "start", &why);
	range.end = dash ? range_end(a, dash + 1, "end", &why) : range.begin;
	if (!why && range.end < range.begin)
		why = arena_printf(a, "invalid port range: %s", text);
	if (why)
		*error = why;
	return range;
}

void port_split_protocol(struct arena *a, const char *text, const char **port,
                         const char **protocol)
{
	const char *slash = strchr(text, '/');
	size_t n = slash ? (size_t)(slash - text) : strlen(text);

	*port = arena_copy(a, text, n);
	*protocol = n == 0 ? "" : slash && slash[1] ? slash + 1 : "tcp";
}

static const char *lower_case(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);

	for (char *c = copy; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

/* The address without its brackets; empty stays empty. */
static const char *address_of(struct arena *a, const char *text, size_t length)
{
	if (length >= 2 && text[0] == '[' && text[length - 1] == ']')
		return arena_copy(a, text + 1, length - 2);
	return arena_copy(a, text, length);
}

static bool protocol_known(const char *protocol)
{
	return strcmp(protocol, "tcp") == 0 || strcmp(protocol, "udp") == 0 ||
	       strcmp(protocol, "sctp") == 0;
}

static uint32_t width(struct port_range range)
{
	return range.end - range.begin + 1;
}

static struct port_mapping refuse(struct port_mapping m, const char *error)
{
	m.error = error;
	return m;
}

static struct port_mapping check(struct arena *a, struct port_mapping m, const char *host,
                                 const char *container)
{
	const char *why = NULL;

	if (m.host_ip[0] && !ip_is_valid(m.host_ip))
		return refuse(m, arena_printf(a, "invalid ip address: %s", m.host_ip));
	m.container = port_range_parse(a, container, &why);
	if (why)
		return refuse(m, arena_printf(a, "invalid containerPort: %s", container));
	m.has_host = host[0] != '\0';
	if (m.has_host)
		m.host = port_range_parse(a, host, &why);
	if (why)
		return refuse(m, arena_printf(a, "invalid hostPort: %s", host));
	if (m.has_host && width(m.host) != width(m.container) && width(m.container) != 1)
		return refuse(m, arena_printf(a,
		                              "invalid ranges specified for container and host "
		                              "ports: %s and %s",
		                              container, host));
	if (!protocol_known(m.protocol))
		return refuse(m, arena_printf(a, "invalid proto: %s", m.protocol));
	return m;
}

static const char *last_colon(const char *text, size_t length)
{
	while (length-- > 0)
		if (text[length] == ':')
			return text + length;
	return NULL;
}

struct port_mapping port_parse(struct arena *a, const char *text)
{
	struct port_mapping m = { .host_ip = "" };
	const char *port, *protocol, *host = "", *last, *middle;

	port_split_protocol(a, text, &port, &protocol);
	m.protocol = lower_case(a, protocol);
	last = strrchr(port, ':');
	if (last) {
		size_t before = (size_t)(last - port);

		middle = last_colon(port, before);
		if (middle) {
			m.host_ip = address_of(a, port, (size_t)(middle - port));
			host = arena_copy(a, middle + 1, (size_t)(last - middle) - 1);
		} else {
			host = arena_copy(a, port, before);
		}
	}
	last = last ? last + 1 : port;
	if (*last == '\0')
		return refuse(m, arena_printf(a, "no port specified: %s<empty>", text));
	return check(a, m, host, last);
}

struct service_fields {
	const char *target, *published, *protocol, *mode;
};

static const char *service_field(struct arena *a, struct service_fields *f, const char *field)
{
	const char *equals = strchr(field, '=');
	const char *key;

	if (!equals || equals == field)
		return arena_printf(a, "invalid field: %s", field);
	key = lower_case(a, arena_copy(a, field, (size_t)(equals - field)));
	if (strcmp(key, "target") == 0)
		f->target = equals + 1;
	else if (strcmp(key, "published") == 0)
		f->published = equals + 1;
	else if (strcmp(key, "protocol") == 0)
		f->protocol = equals + 1;
	else if (strcmp(key, "mode") == 0)
		f->mode = equals + 1;
	else
		return arena_printf(a, "invalid field key: %s", key);
	return NULL;
}

static const char *service_number(struct arena *a, const char *text, const char *what,
                                  struct port_range *out)
{
	const char *why = NULL;

	*out = port_range_parse(a, text, &why);
	if (why || out->begin != out->end)
		return arena_printf(a,
		                    "invalid %s port (%s): value must be an integer: "
		                    "invalid syntax",
		                    what, text);
	return NULL;
}

static struct port_mapping service_long(struct arena *a, const char *text)
{
	struct port_mapping m = { .host_ip = "", .protocol = "tcp", .mode = "ingress" };
	struct service_fields f = { 0 };
	struct csv_fields fields = { 0 };

	m.error = csv_fields_read(a, text, &fields);
	for (size_t i = 0; i < fields.count && !m.error; i++)
		m.error = service_field(a, &f, fields.items[i]);
	if (!m.error && f.mode) {
		m.mode = f.mode;
		if (strcmp(f.mode, "ingress") != 0 && strcmp(f.mode, "host") != 0)
			m.error = arena_printf(a,
			                       "invalid publish mode value (%s): must be either "
			                       "'ingress' or 'host'",
			                       f.mode);
	}
	if (!m.error && !f.target)
		m.error = "missing mandatory field 'target'";
	if (!m.error)
		m.error = service_number(a, f.target, "target", &m.container);
	if (!m.error && f.published) {
		m.has_host = true;
		m.error = service_number(a, f.published, "published", &m.host);
	}
	if (!m.error && f.protocol) {
		m.protocol = lower_case(a, f.protocol);
		if (!protocol_known(m.protocol))
			m.error = arena_printf(a, "invalid protocol value '%s'", f.protocol);
	}
	return m;
}

struct port_mapping port_parse_service(struct arena *a, const char *text)
{
	struct port_mapping m;

	if (strchr(text, '='))
		return service_long(a, text);
	m = port_parse(a, text);
	if (!m.error && m.host_ip[0])
		m.error = "hostip is not supported";
	m.mode = "ingress";
	return m;
}

uint32_t port_count(const struct port_mapping *m)
{
	return m->error ? 0 : width(m->container);
}

uint32_t port_container(const struct port_mapping *m, uint32_t i)
{
	return m->container.begin + i;
}

const char *port_host(struct arena *a, const struct port_mapping *m, uint32_t i)
{
	if (!m->has_host)
		return "";
	if (width(m->host) == width(m->container))
		return arena_printf(a, "%u", m->host.begin + i);
	return arena_printf(a, "%u-%u", m->host.begin, m->host.end);
}

static const char *range_text(struct arena *a, struct port_range range)
{
	if (range.begin == range.end)
		return arena_printf(a, "%u", range.begin);
	return arena_printf(a, "%u-%u", range.begin, range.end);
}

const char *port_canonical(struct arena *a, const struct port_mapping *m)
{
	bool v6 = strchr(m->host_ip, ':') != NULL;

	return arena_printf(a, "%s%s%s:%s:%s/%s", v6 ? "[" : "", m->host_ip, v6 ? "]" : "",
	                    m->has_host ? range_text(a, m->host) : "", range_text(a, m->container),
	                    m->protocol);
}
