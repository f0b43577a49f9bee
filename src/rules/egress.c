/* Rules of the field egress.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

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
		.fix =
			"Allow the model API, the registry and the repository host only.",
		.compatibility =
			"Package installs need a mirror or list.",
		.owner =
			"network team",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "network-not-isolated",
	},
	{
		.slug = "netpol-ingress-only",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policies selecting the pod list only Ingress, or have no egress "
			"section and no Egress type",
		.consequence =
			"Egress stays wide open though a policy file exists.",
		.fix =
			"Add policyTypes Egress with the allowed list and DNS.",
		.compatibility =
			"DNS must be allowed explicitly.",
		.owner =
			"network team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "network-not-isolated",
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
			"The rule allows internal networks and metadata as well as the internet.",
		.fix =
			"Add except blocks or name the destinations.",
		.compatibility =
			"Internal calls need their own rule.",
		.owner =
			"network team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "network-policy-too-wide",
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
			"The policy governs something else; this pod is not isolated.",
		.fix =
			"Fix the selector.",
		.compatibility =
			"None.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "network-policy-too-wide",
	},
	{
		.slug = "netpol-unproven",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"policy matches but the CNI and its enforcement are not in evidence",
		.consequence =
			"Creating the object has no effect without an enforcing plug-in.",
		.fix =
			"Add a dated export from the CNI, or a recorded blocked connection from "
			"an authorised test.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
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
		.consequence =
			"Node or task credentials can be fetched by any code in the row.",
		.fix =
			"Deny the addresses, require IMDSv2 with hop limit 1, or use workload "
			"identity with the node role emptied.",
		.compatibility =
			"Node agents on the host network keep access.",
		.owner =
			"platform team",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "cloud-metadata-access",
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
		.compatibility =
			"Local model servers need a network alias.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "proxy-env-only",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"HTTP_PROXY style variables are the only egress limit",
		.consequence =
			"Programs may ignore them; nothing blocks a direct connection.",
		.fix =
			"Put the row on an internal network with the proxy as the only exit.",
		.compatibility =
			"Non-HTTP protocols stop.",
		.owner =
			"network team",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.consequence =
			"File limits hold but anything readable can be sent out.",
		.fix =
			"Turn network off or list domains.",
		.compatibility =
			"Downloads need the list.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(BWRAP) | FORMAT_BIT(AGENT_SETTINGS),
		.task_context = true,
		.concepts = "agent-egress-open",
	},
	{
		.slug = "domain-wildcard",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"allowed domains hold * or a hosting domain where anyone can publish "
			"(raw file, gist, storage, paste, tunnel)",
		.consequence =
			"The list is also an outbox for anyone with an account there.",
		.fix =
			"Name exact hosts or paths at a proxy.",
		.compatibility =
			"Some installers use many hosts.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(K8S),
		.concepts = "",
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
		.fix =
			"Add the flags' safe values.",
		.compatibility =
			"Servers needing hosts must declare them.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(SCRIPT),
		.concepts = "",
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
		.consequence =
			"The agent can lift its own limit.",
		.fix =
			"Set the rules from outside, or from an init container that ends, and "
			"drop NET_ADMIN after.",
		.compatibility =
			"Dynamic rule refresh moves outside.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-metadata-noderole",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"metadata reachable AND node role or instance profile has write rights, "
			"or host network in a cloud cluster",
		.consequence =
			"Cloud account actions as the node.",
		.fix =
			"Block the address and empty the node role.",
		.compatibility =
			"Node add-ons need workload identity.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
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
		.fix =
			"Close any one; egress is usually the cheapest.",
		.compatibility =
			"Some fetches stop.",
		.owner =
			"service owner",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-shared-net-localhost",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"containers share a network namespace (pod, network_mode service:) AND "
			"a peer listens on loopback without authentication",
		.consequence =
			"Loopback is not private between them.",
		.fix =
			"Add authentication or split.",
		.compatibility =
			"Side-car patterns change.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "host-aliases",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"hostAliases or extra_hosts rewrite names inside the row",
		.consequence =
			"Names that reviewers take for remote services resolve where this file "
			"says.",
		.fix =
			"Remove the alias or name the reason.",
		.compatibility =
			"Clients that rely on the alias need DNS.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.task_context = true,
		.concepts = "host-aliases",
	},
	{
		.slug = "probe-host",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"host is set in a probe or a lifecycle hook",
		.consequence =
			"The kubelet connects to that address from the node: a way to reach "
			"what the pod cannot.",
		.fix =
			"Remove the host field.",
		.compatibility =
			"A probe of another host needs a sidecar.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "host-in-probe-or-hook",
	},
	{
		.slug = "mcp-plain-http",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a remote MCP server over http:// to a host that is not loopback",
		.consequence =
			"Prompts, results and tokens cross the network in clear and can be "
			"rewritten.",
		.fix =
			"Use https.",
		.compatibility =
			"The server needs a certificate.",
		.owner =
			"agent operator",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-plain-http",
	},
	{
		.slug = "mcp-egress-odd",
		.field = FIELD_EGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"an MCP server argument or url names a raw address, an odd port or a "
			"telemetry endpoint",
		.consequence =
			"Data that the tool sees leaves for a place the task does not name.",
		.fix =
			"Remove or name the destination.",
		.compatibility =
			"Telemetry stops.",
		.owner =
			"agent operator",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(MCP),
		.task_context = true,
		.concepts = "mcp-egress",
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
		.fix =
			"Use a network per application.",
		.compatibility =
			"Names then resolve through the engine.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(RUN) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(DAEMON_JSON) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
};

const size_t rules_egress_count = sizeof rules_egress / sizeof *rules_egress;
