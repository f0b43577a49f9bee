/* Rules of the field egress.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/network_facts.h"

static bool is_agent_sandbox(const struct row *row)
{
	return text_begins(row->object_kind, "Sandbox") || text_begins(row->object_kind, "BatchSandbox");
}

static bool allows_domain(const struct fact *f)
{
	return fact_attribute_is(f, "effect", "allow");
}

/* The one fact that carries the finding: the policy, the network mode, the first network. */
static bool carries_egress(const struct eval *e, const struct fact *f)
{
	static const enum fact_kind order[] = { FACT_NETWORK_POLICY, FACT_NETWORK_MODE,
						FACT_NETWORK };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const struct fact *first = row_first(eval_row(e), order[i], eval_layer(e));

		if (first)
			return first == f;
	}
	return false;
}

static bool policy_speaks(const struct fact *f)
{
	return f->kind == FACT_NETWORK_POLICY && attribute_true(f, "covers_egress") &&
	       policy_governs(f);
}

static enum verdict egress_open(struct eval *e, const struct fact *f)
{
	/* A sandbox resource may hold its policy alone, without a pod. */
	if (!carries_egress(e, f) || eval_row(e)->kind == ROW_BUILD ||
	    (!row_is_workload(eval_row(e)) && !attribute_true(f, "sandbox")))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (row_has_no_way_out(e) || row_peers_are_named(e) ||
	    (row_egress_is_limited(e) && !is_agent_sandbox(eval_row(e))) ||
	    eval_find(e, FACT_PROXY, fact_is_written) ||
	    eval_find(e, FACT_FIREWALL, fact_is_written) ||
	    eval_find(e, FACT_DOMAIN_RULE, allows_domain))
		return VERDICT_QUIET;
	if (is_agent_sandbox(eval_row(e)) ||
	    (row_egress_is_public(e) && eval_row(e)->role == ROLE_AGENT))
		eval_concepts(e, policy_speaks(f) ? "agent-egress-open"
						  : "network-not-isolated agent-egress-open");
	else if (policy_speaks(f))
		return VERDICT_QUIET; /* what is wrong with the policy is netpol-wide's to say */
	else if (f->kind != FACT_NETWORK_POLICY && !fact_is_nocase(f, "bridge") &&
		 !fact_is_nocase(f, "host"))
		eval_concepts(e, "");
	if (f->provenance != PROVENANCE_ABSENT)
		eval_subject_row(e);
	if (row_egress_reach(e))
		eval_say(e, "the policies let the row connect to %s", row_egress_reach(e));
	else
		eval_say(e, "nothing limits where the row may connect to");
	return VERDICT_FIRES;
}

static bool has_egress_part(const struct fact *f)
{
	if (fact_attribute(f, "covers_egress"))
		return attribute_true(f, "covers_egress");
	return fact_is_written(f) && *attribute_of(f, "egress") &&
	       !fact_attribute_is(f, "egress", "none");
}

static enum verdict netpol_ingress_only(struct eval *e, const struct fact *f)
{
	if (!first_of_kind(e, f) || !fact_is_written(f) || !row_is_workload(eval_row(e)))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_NETWORK_POLICY, has_egress_part))
		return VERDICT_QUIET;
	eval_subject_row(e);
	eval_say(e, "the policies that select the pod (%s) say nothing about egress", f->value);
	return VERDICT_FIRES;
}

static enum verdict netpol_wide(struct eval *e, const struct fact *f)
{
	if (!policy_stands(f) ||
	    (!attribute_true(f, "wide") && !fact_attribute_is(f, "egress", "open")))
		return VERDICT_QUIET;
	if (fact_attribute(f, "lets_out"))
		eval_say(e, "policy %s lets traffic out to %s", f->value, attribute_of(f, "lets_out"));
	else if (fact_attribute(f, "lets_in"))
		eval_say(e, "policy %s lets traffic in from %s", f->value, attribute_of(f, "lets_in"));
	else
		eval_say(e, "policy %s lets traffic go everywhere", f->value);
	return VERDICT_FIRES;
}

static enum verdict netpol_no_match(struct eval *e, const struct fact *f)
{
	if (!fact_is_written(f))
		return VERDICT_QUIET;
	if (attribute_false(f, "matches") || fact_attribute_is(f, "matches", "0"))
		eval_say(e, "policy %s selects no supplied pod", f->value);
	else if (attribute_false(f, "peers"))
		/* Whoever the rule was for is shut out: nothing is opened by it. */
		eval_severity(e, SEVERITY_INFO),
			eval_say(e, "a peer selector of policy %s selects no supplied pod", f->value);
	else if (row_is_workload(eval_row(e)) || fact_attribute(f, "matches"))
		return VERDICT_QUIET;
	else {
		eval_why(e, "no pod was supplied that policy %s could select", f->value);
		return VERDICT_UNKNOWN;
	}
	/* The pods may well lie in another repository. */
	if (attribute_false(f, "pods_supplied")) {
		eval_severity(e, SEVERITY_INFO);
		eval_confidence(e, CONFIDENCE_LOW);
		eval_say(e, "policy %s selects no supplied pod: none lies near it in the tree",
			 f->value);
	}
	return VERDICT_FIRES;
}

static enum verdict netpol_unproven(struct eval *e, const struct fact *f)
{
	if (!policy_stands(f) || !row_is_workload(eval_row(e)) || f->layer == LAYER_OBSERVED)
		return VERDICT_QUIET;
	if (policy_governs(f))
		eval_say(e, "policy %s is declared; it has no effect without a network plug-in that "
			    "enforces it, which is not in evidence", f->value);
	else
		eval_say(e, "policy %s selects the pod, which is on the host's network: plug-ins "
			    "generally leave such pods alone", f->value);
	return VERDICT_FIRES;
}

static bool names_cloud(const struct fact *f)
{
	static const char *const begins[] = { "AWS_", "GOOGLE_", "GCP_", "GCLOUD_", "AZURE_",
					      "ALIBABA_", "OCI_", NULL };

	for (size_t i = 0; begins[i]; i++)
		if (text_begins(f->value, begins[i]))
			return true;
	return false;
}

static bool names_metadata(const struct fact *f)
{
	static const char *const addresses[] = { "169.254.169.254", "fd00:ec2::254",
						 "169.254.170.2", "169.254.170.23",
						 "fd00:ec2::23", "168.63.129.16",
						 "100.100.100.200", "metadata.google.internal",
						 "2852039166", "0xa9fea9fe",
						 "metadata.tencentyun.com", "fd20:ce::254", NULL };

	return text_holds_any(f->value, addresses);
}

static enum verdict metadata_reachable(struct eval *e, const struct fact *f)
{
	const struct fact *named, *cloud;

	(void)f;
	if (!row_is_workload(eval_row(e)) || row_has_no_way_out(e) || row_metadata_is_denied(e))
		return VERDICT_QUIET;
	named = eval_find(e, FACT_COMMAND, names_metadata);
	if (!named)
		named = eval_find(e, FACT_ENTRYPOINT, names_metadata);
	if (!named)
		named = eval_find(e, FACT_EXTRA_HOST, names_metadata);
	if (!named)
		named = eval_find(e, FACT_REMOTE, names_metadata);
	cloud = eval_first(e, FACT_CLOUD_IDENTITY);
	if (!cloud && !named) {
		cloud = eval_find(e, FACT_ENV, names_cloud);
		eval_confidence(e, CONFIDENCE_LOW);
	}
	if (!named && !cloud)
		return VERDICT_QUIET;
	eval_subject(e, named ? named : cloud);
	eval_say(e, "nothing denies the cloud's metadata addresses");
	return VERDICT_FIRES;
}

static enum verdict host_gateway(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "host-gateway", "host.docker.internal",
					     "host.containers.internal", "gateway.docker.internal",
					     NULL };

	if (!attribute_true(f, "gateway") && !text_holds_any(f->value, names))
		return VERDICT_QUIET;
	eval_say(e, "services of the host are reachable by name: %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict proxy_env_only(struct eval *e, const struct fact *f)
{
	static const char *const exceptions[] = { "NO_PROXY", NULL };

	if (!first_of_kind(e, f) && row_first(eval_row(e), FACT_PROXY, eval_layer(e)) &&
	    !text_is_any(row_first(eval_row(e), FACT_PROXY, eval_layer(e))->value, exceptions))
		return VERDICT_QUIET;
	if (text_is_any(f->value, exceptions) || row_has_no_way_out(e) || row_egress_is_limited(e) ||
	    eval_find(e, FACT_FIREWALL, fact_is_written))
		return VERDICT_QUIET;
	eval_say(e, "%s asks programs to use a proxy; nothing stops one that does not", f->value);
	return VERDICT_FIRES;
}

static enum verdict sandbox_net_open(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "network", "net", "clone_newnet", NULL };

	if (f->kind == FACT_NETWORK_MODE) {
		if (eval_row(e)->format == FORMAT_BWRAP && fact_is_nocase(f, "host"))
			eval_say(e, "the sandbox keeps the host's network");
		return judge_bad(e, f, eval_row(e)->format == FORMAT_BWRAP &&
					       fact_is_nocase(f, "host"));
	}
	if (!text_holds_any(attribute_of(f, "setting"), names))
		return VERDICT_QUIET;
	if (fact_attribute_is(f, "effect", "wide"))
		eval_say(e, "%s leaves the sandbox's network open (%s)", attribute_of(f, "setting"),
			 f->value);
	return judge_bad(e, f, fact_attribute_is(f, "effect", "wide"));
}

static enum verdict domain_wildcard(struct eval *e, const struct fact *f)
{
	static const char *const anyone[] = {
		"githubusercontent.com", "github.io", "gist.github.com", "pastebin.com",
		"amazonaws.com", "blob.core.windows.net", "storage.googleapis.com",
		"r2.dev", "workers.dev", "pages.dev", "vercel.app", "netlify.app", "herokuapp.com",
		"ngrok.io", "ngrok-free.app", "ngrok.app", "trycloudflare.com", "web.app",
		"firebaseapp.com", "transfer.sh", "file.io", "glitch.me", "repl.co", "surge.sh",
		"azurewebsites.net", "cloudfront.net", "digitaloceanspaces.com", NULL
	};
	const char *domain = f->value;

	if (!allows_domain(f))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!text_holds(domain, "*") && !text_holds_any(domain, anyone))
		return VERDICT_QUIET;
	eval_say(e, text_holds_any(domain, anyone)
			    ? "anyone may publish below the allowed domain %s"
			    : "the allowed domain %s is a wildcard", domain);
	return VERDICT_FIRES;
}

static enum verdict mcp_gateway_wide(struct eval *e, const struct fact *f)
{
	if (!text_holds(f->value, "mcp gateway run"))
		return VERDICT_QUIET;
	if (text_holds(f->value, "--verify-signatures=false"))
		eval_say(e, "the gateway does not verify image signatures");
	else if (text_holds(f->value, "--block-secrets=false"))
		eval_say(e, "the gateway lets secrets through");
	else if (!text_holds(f->value, "--block-network") ||
		 text_holds(f->value, "--block-network=false"))
		eval_say(e, "the gateway starts servers with an open network");
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static enum verdict host_aliases(struct eval *e, const struct fact *f)
{
	if (attribute_true(f, "gateway") || text_holds(f->value, "host-gateway"))
		eval_say(e, "the name of the host is added: %s", f->value);
	else
		eval_say(e, "names are rewritten inside the row: %s", f->value);
	return judge_written(e, f);
}

const struct rule rules_egress[] = {
	{
		.slug = "egress-open",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no egress policy, proxy, internal network or sandbox domain list "
			"applies to the row",
		.consequence =
			"Data the agent can read may be sent anywhere; injected text may fetch "
			"more.",
		.fix = "Allow the model API, the registry and the repository host only.",
		.compatibility = "Package installs need a mirror or list.",
		.owner = "network team",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S |
			   FORMAT_BIT(AGENT_SETTINGS),
		.task_context = true,
		.concepts = "network-not-isolated",
		.each = FACT_NETWORK_POLICY,
		.also = { FACT_NETWORK_MODE, FACT_NETWORK },
		.judge = egress_open,
	},
	{
		.slug = "netpol-ingress-only",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policies selecting the pod list only Ingress, or have no egress "
			"section and no Egress type",
		.consequence = "Egress stays wide open though a policy file exists.",
		.fix = "Add policyTypes Egress with the allowed list and DNS.",
		.compatibility = "DNS must be allowed explicitly.",
		.owner = "network team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "network-not-isolated",
		.each = FACT_NETWORK_POLICY,
		.judge = netpol_ingress_only,
	},
	{
		.slug = "netpol-wide",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"egress rule {} or one without to, or ipBlock 0.0.0.0/0 or ::/0 without "
			"except for private and link-local ranges",
		.consequence =
			"Nothing is kept out in that direction: internal networks as well as the "
			"internet, and outward the metadata addresses.",
		.fix = "Name the sources or destinations, or add except blocks.",
		.compatibility = "Internal calls need their own rule.",
		.owner = "network team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "network-policy-too-wide",
		.each = FACT_NETWORK_POLICY,
		.judge = netpol_wide,
	},
	{
		.slug = "netpol-no-match",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"podSelector or namespace does not match the workload's labels and "
			"namespace",
		.consequence =
			"The selector matches other pods than it was written for: this pod is not "
			"isolated, or that peer is not let through.",
		.fix = "Fix the selector.",
		.compatibility = "None.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "network-policy-too-wide",
		.each = FACT_NETWORK_POLICY,
		.judge = netpol_no_match,
	},
	{
		.slug = "netpol-unproven",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "policy matches but the CNI and its enforcement are not in evidence",
		.consequence = "Creating the object has no effect without an enforcing plug-in.",
		.fix =
			"Add a dated export from the CNI, or a recorded blocked connection from "
			"an authorised test.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_NETWORK_POLICY,
		.judge = netpol_unproven,
	},
	{
		.slug = "metadata-reachable",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"cloud target and nothing denies 169.254.169.254, fd00:ec2::254, "
			"169.254.170.2, 169.254.170.23, fd00:ec2::23, 168.63.129.16, "
			"100.100.100.200 or the provider names",
		.consequence = "Node or task credentials can be fetched by any code in the row.",
		.fix =
			"Deny the addresses, require IMDSv2 with hop limit 1, or use workload "
			"identity with the node role emptied.",
		.compatibility = "Node agents on the host network keep access.",
		.owner = "platform team",
		.restore = RESTORE_COMMIT,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.task_context = true,
		.concepts = "cloud-metadata-access",
		.judge = metadata_reachable,
	},
	{
		.slug = "host-gateway",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"extra_hosts or --add-host with host-gateway, host.docker.internal or "
			"host.containers.internal used",
		.consequence =
			"Services bound to the host's bridge or loopback (via Desktop) are in "
			"reach.",
		.fix =
			"Bind the host service to loopback, firewall the bridge, or run it as a "
			"container; dropping the name alone leaves the gateway address "
			"reachable.",
		.compatibility = "Local model servers need a network alias.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.task_context = true,
		.concepts = "",
		.each = FACT_EXTRA_HOST,
		.also = { FACT_COMMAND },
		.judge = host_gateway,
	},
	{
		.slug = "proxy-env-only",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "HTTP_PROXY style variables are the only egress limit",
		.consequence = "Programs may ignore them; nothing blocks a direct connection.",
		.fix = "Put the row on an internal network with the proxy as the only exit.",
		.compatibility = "Non-HTTP protocols stop.",
		.owner = "network team",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S |
			   FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_PROXY,
		.judge = proxy_env_only,
	},
	{
		.slug = "sandbox-net-open",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"bwrap --share-net or no --unshare-net, Codex network_access=true, VS "
			"Code sandbox.network.allowNetwork unset (true) with empty domain "
			"lists, Cursor networkPolicy default allow, nsjail "
			"--disable_clone_newnet; the VS Code key was "
			"chat.agent.sandbox.allowNetwork, default false, until 2026-07: name "
			"the version",
		.consequence = "File limits hold but anything readable can be sent out.",
		.fix = "Turn network off or list domains.",
		.compatibility = "Downloads need the list.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(BWRAP) | FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(NSJAIL) |
			   FORMAT_BIT(FIREJAIL) | FORMAT_BIT(SEATBELT) | FORMAT_BIT(LANDLOCK) |
			   FORMAT_BIT(CLI),
		.task_context = true,
		.concepts = "agent-egress-open",
		.each = FACT_SANDBOX_SETTING,
		.also = { FACT_NETWORK_MODE },
		.judge = sandbox_net_open,
	},
	{
		.slug = "domain-wildcard",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"allowed domains hold * or a hosting domain where anyone can publish "
			"(raw file, gist, storage, paste, tunnel)",
		.consequence = "The list is also an outbox for anyone with an account there.",
		.fix = "Name exact hosts or paths at a proxy.",
		.compatibility = "Some installers use many hosts.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMATS_K8S,
		.concepts = "",
		.each = FACT_DOMAIN_RULE,
		.judge = domain_wildcard,
	},
	{
		.slug = "mcp-gateway-wide",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker mcp gateway run without --block-network, with "
			"--verify-signatures=false or --block-secrets=false",
		.consequence =
			"Tool containers reach any network, unsigned images run, or secrets "
			"pass unseen.",
		.fix = "Add the flags' safe values.",
		.compatibility = "Servers needing hosts must declare them.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(SCRIPT),
		.concepts = "",
		.each = FACT_COMMAND,
		.also = { FACT_HOST_COMMAND, FACT_ENTRY_STEP },
		.judge = mcp_gateway_wide,
	},
	{
		.slug = "host-aliases",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "hostAliases or extra_hosts rewrite names inside the row",
		.consequence =
			"Names that reviewers take for remote services resolve where this file "
			"says.",
		.fix = "Remove the alias or name the reason.",
		.compatibility = "Clients that rely on the alias need DNS.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.task_context = true,
		.concepts = "host-aliases",
		.each = FACT_EXTRA_HOST,
		.judge = host_aliases,
	},
};

const size_t rules_egress_count = sizeof rules_egress / sizeof *rules_egress;
