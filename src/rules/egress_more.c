/* Rules of the field egress: remote servers, probes, the default bridge and combinations.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/network_facts.h"

static enum verdict probe_host(struct eval *e, const struct fact *f)
{
	const char *host = attribute_of(f, "host");

	if (!*host)
		return VERDICT_QUIET;
	if (f->kind == FACT_PROBE && *attribute_of(f, "event"))
		eval_say(e, "the kubelet connects to %s for %s", host, attribute_of(f, "event"));
	else
		eval_say(e, "the kubelet connects to %s for a %s", host,
			 fact_kind_table[f->kind].title);
	return VERDICT_FIRES;
}

static enum verdict mcp_plain_http(struct eval *e, const struct fact *f)
{
	static const char *const plain[] = { "http", "ws", NULL };

	if (attribute_true(f, "loopback"))
		return VERDICT_QUIET;
	if (!text_is_any(attribute_of(f, "scheme"), plain))
		return fact_attribute(f, "scheme") ? VERDICT_QUIET : judge_bad(e, f, false);
	eval_say(e, "the remote server is used over plain HTTP: %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict mcp_egress_odd(struct eval *e, const struct fact *f)
{
	static const char *const watchers[] = { "telemetry", "analytics", "sentry", "posthog",
						"mixpanel", "segment.io", "segment.com", "amplitude",
						"datadog", "statsig", "newrelic", "honeycomb",
						"webhook.site", "requestbin", NULL };
	static const uint64_t usual[] = { 80, 443, 8080, 8443, 3000, 8000 };
	const char *host = attribute_of(f, "host");
	uint64_t port;
	bool odd = attribute_number(f, "port", &port);

	for (size_t i = 0; odd && i < sizeof usual / sizeof *usual; i++)
		odd = usual[i] != port;
	if (attribute_true(f, "loopback"))
		return VERDICT_QUIET;
	if (address_is_numeric(host))
		eval_say(e, "a raw address is named: %s", host);
	else if (text_holds_any(*host ? host : f->value, watchers))
		eval_say(e, "a telemetry endpoint is named: %s", *host ? host : f->value);
	else if (odd)
		eval_say(e, "an unusual port is named: %s", f->value);
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static enum verdict default_bridge(struct eval *e, const struct fact *f)
{
	static const char *const bridge[] = { "bridge", "default", NULL };
	static const char *const closed[] = { "icc=false", NULL };
	const struct fact *icc = eval_value(e, FACT_DAEMON_DEFAULT, closed[0]);

	if (f->kind == FACT_DAEMON_DEFAULT) {
		if (!fact_is(f, "icc=true") || f->provenance == PROVENANCE_ABSENT)
			return VERDICT_QUIET;
		eval_say(e, "containers of the default bridge may reach each other");
		return VERDICT_FIRES;
	}
	if (icc || !text_is_any(f->value, bridge))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	if (row_first(eval_row(e), FACT_NETWORK, eval_layer(e)) && !fact_is_written(f))
		return VERDICT_QUIET;
	eval_say(e, "the container is on the engine's default bridge");
	return VERDICT_FIRES;
}

static bool is_rule(const struct fact *f)
{
	return fact_is_written(f);
}

static enum verdict x_firewall_self_held(struct eval *e, const struct fact *f)
{
	const struct fact *firewall = eval_find(e, FACT_FIREWALL, is_rule);

	(void)f;
	if (!firewall)
		return VERDICT_QUIET;
	if (!eval_part(e, "cap-net-admin") && !eval_part(e, "sudo-nopasswd") &&
	    !row_is_privileged(e))
		return VERDICT_QUIET;
	eval_part(e, "sudo-nopasswd");
	eval_say(e, "the rules that limit egress are set inside the row, which keeps the means to "
		    "undo them");
	return VERDICT_FIRES;
}

static enum verdict x_metadata_noderole(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "metadata-reachable") || !eval_part(e, "host-network"))
		return VERDICT_QUIET;
	eval_part(e, "metadata-reachable");
	eval_say(e, "on the host's network the metadata service answers with the node's own role");
	return VERDICT_FIRES;
}

static enum verdict x_secrets_open_egress(struct eval *e, const struct fact *f)
{
	const struct row *row = eval_row(e);

	(void)f;
	if (row->role != ROLE_AGENT && row->role != ROLE_MCP_SERVER && row->role != ROLE_TOOL)
		return VERDICT_QUIET;
	if (!eval_fired(e, "egress-open") && !eval_fired(e, "sandbox-net-open") &&
	    row->format != FORMAT_MCP)
		return VERDICT_QUIET;
	if (row_egress_is_limited(e))
		return VERDICT_QUIET;
	/* A server elsewhere gets the credential by design; where that one may connect is not known. */
	if (row->format == FORMAT_MCP && eval_find(e, FACT_REMOTE, is_rule))
		return VERDICT_QUIET;
	if (!row_holds_secret(e))
		return VERDICT_QUIET;
	eval_part(e, "egress-open");
	eval_part(e, "sandbox-net-open");
	eval_say(e, "%s holds credentials and may connect %s, and %s work on text that strangers "
		    "write",
		 row->name, row_egress_is_public(e) ? "to every public address" : "anywhere",
		 row->role == ROLE_AGENT ? "agents" : "tools of an agent");
	return VERDICT_FIRES;
}

static bool joins_network(const struct fact *f)
{
	return text_begins(f->value, "service:") || text_begins(f->value, "container:");
}

static enum verdict x_shared_net_localhost(struct eval *e, const struct fact *f)
{
	const struct row *peer;

	(void)f;
	if (eval_row(e)->format != FORMAT_K8S && !eval_find(e, FACT_NETWORK_MODE, joins_network))
		return VERDICT_QUIET;
	for (size_t i = 0; (peer = eval_peer(e, i)); i++)
		for (const struct fact *listener = row_first(peer, FACT_LISTEN, LAYER_DECLARED);
		     listener; listener = row_next(peer, listener))
			if (address_is_loopback(attribute_of(listener, "address")) &&
			    !attribute_true(listener, "auth")) {
				eval_subject(e, listener);
				eval_say(e, "%s listens on loopback of the shared network without "
					    "authentication in evidence", peer->name);
				return VERDICT_FIRES;
			}
	return VERDICT_QUIET;
}

const struct rule rules_egress_more[] = {
	{
		.slug = "probe-host",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "host is set in a probe or a lifecycle hook",
		.consequence =
			"The kubelet connects to that address from the node: a way to reach "
			"what the pod cannot.",
		.fix = "Remove the host field.",
		.compatibility = "A probe of another host needs a sidecar.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "host-in-probe-or-hook",
		.each = FACT_PROBE,
		.also = { FACT_HOOK },
		.judge = probe_host,
	},
	{
		.slug = "mcp-plain-http",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "a remote MCP server over http:// to a host that is not loopback",
		.consequence =
			"Prompts, results and tokens cross the network in clear and can be "
			"rewritten.",
		.fix = "Use https.",
		.compatibility = "The server needs a certificate.",
		.owner = "agent operator",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-plain-http",
		.each = FACT_REMOTE,
		.judge = mcp_plain_http,
	},
	{
		.slug = "mcp-egress-odd",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"an MCP server argument or url names a raw address, an odd port or a "
			"telemetry endpoint",
		.consequence = "Data that the tool sees leaves for a place the task does not name.",
		.fix = "Remove or name the destination.",
		.compatibility = "Telemetry stops.",
		.owner = "agent operator",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(MCP),
		.task_context = true,
		.concepts = "mcp-egress",
		.each = FACT_REMOTE,
		.judge = mcp_egress_odd,
	},
	{
		.slug = "default-bridge",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker run without --network or network_mode: bridge, and icc not false",
		.consequence =
			"Containers on the default bridge reach each other's ports, published "
			"or not.",
		.fix = "Use a network per application.",
		.compatibility = "Names then resolve through the engine.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMATS_RUN | FORMAT_BIT(COMPOSE) | FORMATS_DAEMON,
		.concepts = "",
		.each = FACT_NETWORK_MODE,
		.also = { FACT_DAEMON_DEFAULT },
		.judge = default_bridge,
	},
	{
		.slug = "x-firewall-self-held",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"egress limited by rules set inside the container AND the agent can "
			"hold NET_ADMIN (added cap with root, or NOPASSWD sudo to a firewall "
			"script it can influence)",
		.consequence = "The agent can lift its own limit.",
		.fix =
			"Set the rules from outside, or from an init container that ends, and "
			"drop NET_ADMIN after.",
		.compatibility = "Dynamic rule refresh moves outside.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.combination = true,
		.concepts = "",
		.judge = x_firewall_self_held,
	},
	{
		.slug = "x-metadata-noderole",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"metadata reachable AND node role or instance profile has write rights, "
			"or host network in a cloud cluster",
		.consequence = "Cloud account actions as the node.",
		.fix = "Block the address and empty the node role.",
		.compatibility = "Node add-ons need workload identity.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_metadata_noderole,
	},
	{
		.slug = "x-secrets-open-egress",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"credentials present in the row AND egress-open AND untrusted input is "
			"read (web, issues, mail, repository content)",
		.consequence =
			"Injected text can read and send the credential: the three parts "
			"together are the risk.",
		.fix = "Close any one; egress is usually the cheapest.",
		.compatibility = "Some fetches stop.",
		.owner = "service owner",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(MCP) |
			   FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_secrets_open_egress,
	},
	{
		.slug = "x-shared-net-localhost",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"containers share a network namespace (pod, network_mode service:) AND "
			"a peer listens on loopback without authentication",
		.consequence = "Loopback is not private between them.",
		.fix = "Add authentication or split.",
		.compatibility = "Side-car patterns change.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_shared_net_localhost,
	},
};

const size_t rules_egress_more_count = sizeof rules_egress_more / sizeof *rules_egress_more;
