/* Rules of the field ingress.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_ingress[] = {
	{
		.slug = "publish-all-interfaces",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"port published with no host address, 0.0.0.0 or ::, or publish all",
		.consequence =
			"Reachable from other machines; Docker's own firewall rules let the "
			"port past host firewalls such as ufw.",
		.fix =
			"Write 127.0.0.1: before the port, or put it on an internal network.",
		.compatibility =
			"Remote callers need a proxy; before Engine 28.0 hosts on the same L2 "
			"segment could still reach a loopback-published port.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "port-published-on-all-interfaces",
	},
	{
		.slug = "mcp-bind-all",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"MCP server or gateway over HTTP bound to 0.0.0.0, :: or a pod/bridge "
			"address; --host 0.0.0.0; gateway --allow-unauthenticated; medium when "
			"bound inside a container whose port is not published",
		.consequence =
			"Any peer, and through DNS rebinding a web page, can call the tools.",
		.fix =
			"Use stdio or bind to loopback with a token.",
		.compatibility =
			"Other machines lose access.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "mcp-origin-unchecked",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_LOW,
		.trigger =
			"HTTP MCP server with no evidence that Origin is validated",
		.consequence =
			"The specification requires the check; without it browser pages may "
			"reach a local server.",
		.fix =
			"Point to the server's check or put a checking proxy in front; else "
			"mark unavailable.",
		.compatibility =
			"Browser clients must be listed.",
		.owner =
			"service owner",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "",
	},
	{
		.slug = "hostport",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"hostPort set, or Service NodePort/LoadBalancer selecting the agent pod",
		.consequence =
			"The agent listens on node or public addresses.",
		.fix =
			"Use ClusterIP and an authenticated ingress.",
		.compatibility =
			"Callers change address.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "host-port",
	},
	{
		.slug = "debug-port",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"published debugger port or notebook without token (9229, 5678, 5005, "
			"2345, 9222; 8888) or --inspect=0.0.0.0; info when only EXPOSEd",
		.consequence =
			"A debugger port is code execution as that process.",
		.fix =
			"Remove it or bind to loopback.",
		.compatibility =
			"Remote debugging needs a tunnel.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "x-mcp-http-noauth-published",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"MCP or agent HTTP endpoint published on all interfaces AND no "
			"authentication in evidence",
		.consequence =
			"Anyone on the network runs the tools.",
		.fix =
			"Bind to loopback and add a token.",
		.compatibility =
			"Remote clients need the token.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "port-privileged",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the row listens on a port below 1024",
		.consequence =
			"The process needs NET_BIND_SERVICE or root unless the runtime sets "
			"net.ipv4.ip_unprivileged_port_start=0, as Docker and containerd 2.x do "
			"by default.",
		.fix =
			"Listen on a high port and map it.",
		.compatibility =
			"Clients keep the outer port.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(DOCKERFILE) |
			   FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "privileged-port",
	},
	{
		.slug = "service-nodeport",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Service of type NodePort",
		.consequence =
			"Every node of the cluster listens on that port, past the ingress layer.",
		.fix =
			"Use ClusterIP behind an Ingress or Gateway.",
		.compatibility =
			"Clients that use the node port change address.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "service-node-port",
	},
	{
		.slug = "service-loadbalancer",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"Service of type LoadBalancer without an internal annotation or source "
			"ranges",
		.consequence =
			"The cloud gives the workload a public address unless something not in "
			"evidence prevents it.",
		.fix =
			"Add source ranges or the internal annotation.",
		.compatibility =
			"Outside clients must be in the ranges.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "service-load-balancer-external",
	},
	{
		.slug = "service-external-ips",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Service with externalIPs",
		.consequence =
			"Whoever may write the Service can take traffic for any address "
			"(CVE-2020-8554).",
		.fix =
			"Remove externalIPs and restrict the field by policy.",
		.compatibility =
			"Fixed addresses need a load balancer.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "service-external-ip",
	},
	{
		.slug = "ingress-exposed",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Ingress, Gateway route or mesh object leads to the workload",
		.consequence =
			"The row takes requests from outside the cluster as far as this object "
			"is applied.",
		.fix =
			"Name the authentication in front, or remove the route.",
		.compatibility =
			"Users of the route lose it.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "exposed-via-ingress",
	},
	{
		.slug = "ingress-no-tls",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Ingress without tls",
		.consequence =
			"Credentials and model traffic cross the network in clear unless "
			"something outside terminates TLS.",
		.fix =
			"Add a tls section with a certificate.",
		.compatibility =
			"Clients move to https.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "ingress-without-tls",
	},
	{
		.slug = "ingress-snippet",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"ingress-nginx snippet annotation",
		.consequence =
			"Text from the object becomes controller configuration, and with it the "
			"controller's secrets (CVE-2021-25742).",
		.fix =
			"Remove the snippet; disable snippets in the controller.",
		.compatibility =
			"Rewrite the rule with supported annotations.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "ingress-nginx-snippet",
	},
	{
		.slug = "admin-interface-exposed",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"a dashboard, debugger or administration interface is published or "
			"routed without authentication in evidence",
		.consequence =
			"Whoever reaches it acts with the row's rights.",
		.fix =
			"Bind it to loopback or put authentication in front.",
		.compatibility =
			"Operators use a tunnel.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "sensitive-interface-exposed",
	},
	{
		.slug = "kubelet-open",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"KubeletConfiguration or kubelet flags: anonymous authentication on "
			"with authorization AlwaysAllow; medium for a readOnlyPort other than 0",
		.consequence =
			"Whoever reaches the node runs commands in its pods; the read-only port "
			"shows pod specs, environment included, to anyone.",
		.fix =
			"Set authentication.anonymous.enabled false, authorization.mode "
			"Webhook, readOnlyPort 0.",
		.compatibility =
			"Old monitoring must authenticate.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "ssh-in-container",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"port 22 published or declared as containerPort, or sshd started; info "
			"when only EXPOSEd",
		.consequence =
			"A second way in, with keys of its own and no trace in the "
			"orchestrator's audit.",
		.fix =
			"Use exec through the orchestrator.",
		.compatibility =
			"People who log in change tools.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(K8S) | FORMAT_BIT(INSPECT),
		.concepts = "ssh-port-exposed",
	},
	{
		.slug = "netpol-none",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no supplied NetworkPolicy selects the pod for ingress",
		.consequence =
			"Every pod of the cluster may connect to it.",
		.fix =
			"Add a policy that lists the callers, and a default deny for the "
			"namespace.",
		.compatibility =
			"Callers must be listed.",
		.owner =
			"network team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "network-not-isolated",
	},
};

const size_t rules_ingress_count = sizeof rules_ingress / sizeof *rules_ingress;
