/* Mounts: the colon separated forms.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/volume_spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

static bool is_propagation(const char *text)
{
	static const char *const words[] = { "shared",  "rshared",  "slave", "rslave",
		                             "private", "rprivate", NULL };

	return is_one_of(text, words);
}

static bool is_consistency(const char *text)
{
	static const char *const words[] = { "consistent", "cached", "delegated", NULL };

	return is_one_of(text, words);
}

static bool has_drive(const char *text)
{
	return isalpha((unsigned char)text[0]) && text[1] == ':';
}

bool volume_source_is_path(const char *source)
{
	return (source[0] && strchr("./~", source[0])) || has_drive(source) ||
	       strncmp(source, "\\\\", 2) == 0;
}

bool size_parse(const char *text, int64_t *bytes)
{
	static const char units[] = "bkmgtp";
	const char *unit;
	char *end;
	double value;
	int64_t factor = 1;

	if (!isdigit((unsigned char)text[0]))
		return false;
	value = strtod(text, &end);
	while (*end == ' ')
		end++;
	unit = *end ? strchr(units, tolower((unsigned char)*end)) : units;
	if (!unit)
		return false;
	for (const char *u = units; u < unit; u++)
		factor *= 1024;
	if (*end)
		end++;
	if (factor > 1 && (*end == 'i' || *end == 'I'))
		end++;
	if (factor > 1 && (*end == 'b' || *end == 'B'))
		end++;
	if (*end || value * (double)factor > 9e18)
		return false;
	*bytes = (int64_t)(value * (double)factor);
	return true;
}

/* "a:/b" names a volume or a Windows path; Linux has no such path, so the volume is meant. */
static bool names_volume(const char *text)
{
	return has_drive(text) && text[2] == '/' && !strchr(text + 2, ':');
}

/* Length of the section at TEXT: up to a colon that is no drive letter's and not inside "${…}". */
static size_t section_length(const char *text)
{
	size_t n = 0, open = 0;

	for (; text[n]; n++) {
		if (text[n] == '{' && (open || (n && text[n - 1] == '$')))
			open++;
		else if (text[n] == '}' && open)
			open--;
		else if (text[n] == ':' && !open && !(n == 1 && has_drive(text)))
			break;
	}
	return n;
}

static void compose_option(struct volume_spec *v, const char *option)
{
	if (strcmp(option, "ro") == 0)
		v->read_only = VOLUME_ON;
	else if (strcmp(option, "rw") == 0)
		v->read_only = VOLUME_OFF;
	else if (strcmp(option, "nocopy") == 0)
		v->nocopy = VOLUME_ON;
	else if (strcmp(option, "z") == 0 || strcmp(option, "Z") == 0)
		v->selinux = option;
	else if (is_propagation(option))
		v->propagation = option;
	else if (is_consistency(option))
		v->consistency = option;
}

static void compose_options(struct arena *a, struct volume_spec *v, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, ",");

		compose_option(v, arena_copy(a, text, n));
		text += text[n] ? n + 1 : n;
	}
}

static struct volume_spec compose_type(struct volume_spec v)
{
	bool path = volume_source_is_path(v.source);

	v.type = path ? "bind" : "volume";
	if (path)
		v.create_host_path = VOLUME_ON;
	return v;
}

struct volume_spec volume_parse_compose(struct arena *a, const char *text)
{
	struct volume_spec v = { .type = "volume", .source = "", .target = "" };
	const char *at = text, *reason = NULL;

	if (text[0] == '\0')
		v.error = "invalid empty volume spec";
	if (strlen(text) <= 2)
		v.target = text;
	while (strlen(text) > 2 && !reason) {
		size_t n = at == text && names_volume(text) ? 1 : section_length(at);
		bool last = at[n] == '\0';
		const char *section = arena_copy(a, at, n);

		if (n == 0)
			reason = "empty section between colons";
		else if (!v.source[0] && !last)
			v.source = section;
		else if (!v.target[0])
			v.target = section;
		else if (!last)
			reason = "too many colons";
		else
			compose_options(a, &v, section);
		if (last)
			break;
		at += n + 1;
	}
	if (reason)
		v.error = arena_printf(a, "invalid spec: %s: %s", text, reason);
	return compose_type(v);
}

struct mode_seen {
	bool access, label, propagation, copy, consistency;
};

static bool mode_once(bool *seen)
{
	bool first = !*seen;

	*seen = true;
	return first;
}

static bool engine_option(struct volume_spec *v, struct mode_seen *seen, const char *option)
{
	compose_option(v, option);
	if (strcmp(option, "ro") == 0 || strcmp(option, "rw") == 0)
		return mode_once(&seen->access);
	if (strcmp(option, "z") == 0 || strcmp(option, "Z") == 0)
		return mode_once(&seen->label);
	if (is_propagation(option))
		return mode_once(&seen->propagation);
	if (strcmp(option, "nocopy") == 0)
		return mode_once(&seen->copy);
	return is_consistency(option) && mode_once(&seen->consistency);
}

static bool engine_mode(struct arena *a, struct volume_spec *v, const char *text)
{
	struct mode_seen seen = { 0 };
	bool ok = true;

	for (;;) {
		size_t n = strcspn(text, ",");

		ok = engine_option(v, &seen, arena_copy(a, text, n)) && ok;
		if (text[n] == '\0')
			return ok;
		text += n + 1;
	}
}

static struct volume_spec engine_finish(struct arena *a, struct volume_spec v, const char *text)
{
	bool bind = v.source[0] == '/';

	v.type = bind ? "bind" : "volume";
	if (v.target[0] != '/' || v.target[1] == '\0')
		v.error = arena_printf(a, "invalid volume specification: '%s'", text);
	else if (!bind && v.propagation)
		v.error = arena_printf(a,
		                       "invalid volume specification: '%s': a named volume takes "
		                       "no propagation",
		                       text);
	if (bind && !v.propagation)
		v.propagation = "rprivate";
	return v;
}

struct volume_spec volume_parse_engine(struct arena *a, const char *text)
{
	struct volume_spec v = { .type = "volume", .source = "", .target = "" };
	struct volume_spec unused = { 0 };
	const char *parts[3] = { "", "", "" };
	size_t count = 0;

	for (const char *at = text; count < 4; count++) {
		size_t n = strcspn(at, ":");

		if (count < 3)
			parts[count] = arena_copy(a, at, n);
		if (at[n] == '\0') {
			count++;
			break;
		}
		at += n + 1;
	}
	v.target = parts[0];
	if (count > 1) {
		v.source = parts[0];
		v.target = parts[1];
	}
	if (count > 3 || parts[0][0] == '\0' || (count == 3 && parts[2][0] == '\0') ||
	    (count == 2 && engine_mode(a, &unused, parts[1]))) {
		v.error = arena_printf(a, "invalid volume specification: '%s'", text);
		return v;
	}
	if (count == 3 && !engine_mode(a, &v, parts[2])) {
		v.error = arena_printf(a, "invalid mode: %s", parts[2]);
		return v;
	}
	return engine_finish(a, v, text);
}
