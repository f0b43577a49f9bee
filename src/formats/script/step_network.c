/* Firewall rules that a script sets, and certificate checks that it switches off.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "src/formats/script/steps.h"

/* --- firewall --------------------------------------------------------------------------------- */

static bool port_is(const struct call *c, const char *port)
{
	const char *value = call_option_value(c, "--dport");

	if (!value)
		value = call_option_value(c, "--dports");
	return value && strstr(value, port) == value && (!value[strlen(port)] ||
							 value[strlen(port)] == ',');
}

static bool accepts(const struct call *c)
{
	const char *target = call_option_value(c, "-j");

	if (!target)
		target = call_option_value(c, "--jump");
	return target && strcmp(target, "ACCEPT") == 0;
}

/* What an accepting rule lets through. */
static const char *allowed_by(const struct call *c)
{
	const char *out = call_option_value(c, "-o");

	if (!accepts(c))
		return NULL;
	if (port_is(c, "53"))
		return "dns";
	if (port_is(c, "22"))
		return "ssh";
	if (out && strcmp(out, "lo") == 0)
		return "loopback";
	if (call_option(c, "--state") || call_option(c, "--ctstate"))
		return "established";
	if (call_option(c, "--match-set"))
		return "domain";
	if (call_option_value(c, "-d") || call_option_value(c, "--destination"))
		return "subnet";
	if (call_option(c, "--dport") || call_option(c, "--dports"))
		return "port";
	return "any";
}

/* Rules about what comes in say nothing about where the row may connect. */
static bool is_inbound(const struct call *c)
{
	static const char *const chains[] = { "INPUT", "FORWARD", "PREROUTING", "POSTROUTING" };

	for (size_t i = 1; i <= call_count(c); i++)
		for (size_t k = 0; k < sizeof chains / sizeof *chains; k++)
			if (strcmp(call_word(c, i), chains[k]) == 0)
				return true;
	return false;
}

static bool changes_rules(const struct call *c)
{
	static const char *const verbs[] = { "-A", "-I", "-P", "--append", "--insert", "--policy" };

	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		for (size_t k = 1; k <= call_count(c); k++)
			if (strcmp(call_word(c, k), verbs[i]) == 0)
				return true;
	return false;
}

void step_firewall(struct steps *s, const struct call *c)
{
	bool tables = strncmp(c->program, "ip", 2) == 0 && !call_is(c, "ipset");
	struct fact *f;

	if (call_is(c, "ipset") || (tables && (!changes_rules(c) || is_inbound(c)) &&
				    !call_is(c, "iptables-restore")))
		return;
	if (call_is(c, "ufw") && call_is_any(c, "status version"))
		return;
	f = steps_fact(s, FACT_FIREWALL, call_text(&s->w->snapshot->arena, c, 0), c);
	if (tables)
		steps_set(s, f, "allows", allowed_by(c));
	if (strncmp(c->program, "ip6", 3) == 0)
		steps_set(s, f, "family", "ipv6");
}

/* --- certificates ----------------------------------------------------------------------------- */

static bool is_off(const char *value)
{
	return strcmp(value, "0") == 0 || strcasecmp(value, "false") == 0 ||
	       strcasecmp(value, "no") == 0 || strcasecmp(value, "off") == 0 ||
	       strcasecmp(value, "disabled") == 0;
}

static bool is_on(const char *value)
{
	return strcmp(value, "1") == 0 || strcasecmp(value, "true") == 0 ||
	       strcasecmp(value, "yes") == 0 || strcasecmp(value, "on") == 0;
}

/* Values that switch a check off. */
enum when { WHEN_OFF, WHEN_ON, WHEN_GIVEN, WHEN_SET };

static const struct {
	const char *name;
	enum when when;
} variables[] = {
	{ "NODE_TLS_REJECT_UNAUTHORIZED", WHEN_OFF }, { "NPM_CONFIG_STRICT_SSL", WHEN_OFF },
	{ "YARN_STRICT_SSL", WHEN_OFF },	      { "YARN_ENABLE_STRICT_SSL", WHEN_OFF },
	{ "PYTHONHTTPSVERIFY", WHEN_OFF },	      { "GIT_SSL_VERIFY", WHEN_OFF },
	{ "CONDA_SSL_VERIFY", WHEN_OFF },	      { "CURL_INSECURE", WHEN_ON },
	{ "WGET_NO_CHECK_CERTIFICATE", WHEN_ON },     { "ANSIBLE_GALAXY_IGNORE", WHEN_ON },
	{ "GOINSECURE", WHEN_GIVEN },		      { "PIP_TRUSTED_HOST", WHEN_GIVEN },
	{ "UV_INSECURE_HOST", WHEN_GIVEN },
	/* git asks only whether it is there, so "0" switches the check off too. */
	{ "GIT_SSL_NO_VERIFY", WHEN_SET },
};

void step_tls_variable(struct steps *s, const char *name, const char *value, struct span span)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		enum when when = variables[i].when;

		if (strcasecmp(name, variables[i].name) != 0)
			continue;
		if (when == WHEN_SET || (when == WHEN_GIVEN && *value) ||
		    (when == WHEN_OFF && is_off(value)) || (when == WHEN_ON && is_on(value)))
			steps_fact_at(s, FACT_TLS_OFF, variables[i].name, span);
		return;
	}
}

/* Options of one program each. */
static const struct {
	const char *programs, *option;
} options[] = {
	{ "curl", "-k" }, { "curl", "--insecure" }, { "curl", "--proxy-insecure" },
	{ "curl", "--doh-insecure" }, { "wget wget2", "--no-check-certificate" },
	{ "pip pip2 pip3 python python3", "--trusted-host" }, { "uv", "--allow-insecure-host" },
	{ "uv", "--trusted-host" }, { "aria2c", "--check-certificate=false" },
	{ "http https", "--verify=no" }, { "Invoke-WebRequest iwr", "-SkipCertificateCheck" },
	{ "gem", "--no-verify-ssl" }, { "helm", "--insecure-skip-tls-verify" },
	{ "kubectl oc", "--insecure-skip-tls-verify" }, { "rsync", "--no-check-certificate" },
	{ "conda mamba", "--insecure" }, { "npm yarn pnpm", "--strict-ssl=false" },
	{ "npm yarn pnpm", "--no-strict-ssl" }, { "skopeo", "--src-tls-verify=false" },
	{ "skopeo", "--dest-tls-verify=false" }, { "podman buildah", "--tls-verify=false" },
};

/* Settings: a word of the first, then a word that switches it off ("strict-ssl false"). */
static const struct {
	const char *programs, *setting;
} settings[] = {
	{ "npm yarn pnpm", "strict-ssl" }, { "git", "http.sslVerify" },
	{ "git", "http.sslverify" }, { "git", "https.sslVerify" }, { "conda mamba", "ssl_verify" },
	{ "pip pip3", "global.trusted-host" }, { "yum-config-manager yum dnf", "sslverify" },
	{ "yarn", "enableStrictSsl" }, { "composer", "disable-tls" }, { "bundle", "ssl_verify_mode" },
};

static bool setting_is_off(const struct call *c, const char *setting)
{
	size_t length = strlen(setting);

	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);
		const char *name = strstr(word, setting);

		if (!name || (name != word && name[-1] != '.' && name[-1] != '-'))
			continue;
		if (strcmp(setting, "global.trusted-host") == 0)
			return true;
		if (name[length] == '=' && is_off(name + length + 1))
			return true;
		if (!name[length] && i < call_count(c) && is_off(call_word(c, i + 1)))
			return true;
		if (strcmp(setting, "disable-tls") == 0 && is_on(call_word(c, i + 1)))
			return true;
	}
	return false;
}

/* Lines that echo or a heredoc writes into a configuration. */
static bool writes_setting(const struct call *c)
{
	static const char *const texts[] = { "sslverify=false", "sslverify=0", "sslVerify = false",
					     "strict-ssl=false", "Verify-Peer \"false\"",
					     "check_certificate = off", "check_certificate=off",
					     "Verify-Peer=false", "ssl_verify: false", "trusted-host =" };

	for (size_t i = 1; i <= call_count(c); i++)
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			if (strcasestr(call_word(c, i), texts[k]))
				return true;
	return false;
}

static bool is_pip_option(const struct call *c, const char *option)
{
	return strcmp(option, "--trusted-host") != 0 || strncmp(c->program, "python", 6) != 0 ||
	       call_option(c, "-m") || call_option(c, "pip");
}

void step_tls(struct steps *s, const struct call *c)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if ((call_is_any(c, options[i].programs) ||
		     (strncmp(c->program, "pip", 3) == 0 &&
		      strncmp(options[i].programs, "pip", 3) == 0)) &&
		    call_option(c, options[i].option) && is_pip_option(c, options[i].option)) {
			steps_fact(s, FACT_TLS_OFF,
				   arena_printf(&s->w->snapshot->arena, "%s %s", c->program,
						options[i].option),
				   c);
			return;
		}
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (call_is_any(c, settings[i].programs) && setting_is_off(c, settings[i].setting)) {
			steps_fact(s, FACT_TLS_OFF,
				   arena_printf(&s->w->snapshot->arena, "%s %s", c->program,
						settings[i].setting),
				   c);
			return;
		}
	if (*c->program && writes_setting(c))
		steps_fact(s, FACT_TLS_OFF, "a setting written to a file", c);
}
