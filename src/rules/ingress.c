/* Rules of the field ingress: listeners and published ports.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/network_facts.h"

static enum verdict publish_all_interfaces(struct eval *e, const struct fact *f)
{
	switch (port_reach(f)) {
	case REACH_ALL:
		eval_say(e, "port %s is published on all interfaces of the host", f->value);
		return VERDICT_FIRES;
	case REACH_UNKNOWN:
		return VERDICT_UNKNOWN;
	case REACH_LOOPBACK:
	case REACH_ADDRESS:
	default:
		return VERDICT_QUIET;
	}
}

static enum verdict mcp_bind_all(struct eval *e, const struct fact *f)
{
	bool container = eval_row(e)->format != FORMAT_MCP &&
			 eval_row(e)->format != FORMAT_AGENT_SETTINGS;

	if (!address_is_any(attribute_of(f, "address")))
		return VERDICT_QUIET;
	if (eval_row(e)->role != ROLE_MCP_SERVER && eval_row(e)->role != ROLE_AGENT &&
	    eval_row(e)->role != ROLE_TOOL && eval_row(e)->format != FORMAT_MCP)
		return VERDICT_QUIET;
	if ((container && !row_publishes(e)) || attribute_true(f, "auth"))
		eval_severity(e, SEVERITY_MEDIUM);
	eval_say(e, "an HTTP server listens on every address (%s)%s", f->value,
		 container && !row_publishes(e) ? ", in a container that publishes no such port"
						: "");
	return VERDICT_FIRES;
}

static enum verdict mcp_origin_unchecked(struct eval *e, const struct fact *f)
{
	if (fact_attribute(f, "origin"))
		return attribute_false(f, "origin") ? VERDICT_FIRES : VERDICT_QUIET;
	if (f->kind == FACT_REMOTE && !attribute_true(f, "loopback"))
		return VERDICT_QUIET;
	if (f->kind == FACT_LISTEN && eval_row(e)->role != ROLE_MCP_SERVER)
		return VERDICT_QUIET;
	eval_say(e, "nothing shows that the HTTP server checks Origin (%s)", f->value);
	return VERDICT_FIRES;
}

static enum verdict hostport(struct eval *e, const struct fact *f)
{
	uint64_t port;

	if (f->kind == FACT_SERVICE) {
		const char *type = attribute_of(f, "type");

		if (eval_row(e)->role != ROLE_AGENT || !row_is_workload(eval_row(e)) ||
		    !text_is_any(type, (const char *const[]){ "NodePort", "LoadBalancer", NULL }))
			return VERDICT_QUIET;
		eval_concepts(e, "");
		eval_say(e, "service %s of type %s leads to the agent", f->value, type);
		return VERDICT_FIRES;
	}
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!fact_is_written(f) || (fact_number(f, &port) && port == 0))
		return VERDICT_QUIET;
	eval_say(e, "port %s is opened on the node itself", f->value);
	return VERDICT_FIRES;
}

static const uint64_t debuggers[] = { 9229, 5678, 5005, 2345, 9222, 8888, 40000 };

static enum verdict debug_command(struct eval *e, const struct fact *f)
{
	static const char *const flags[] = { "--inspect=0.0.0.0", "--inspect-brk=0.0.0.0",
					     "--inspect 0.0.0.0", "--listen 0.0.0.0:5678",
					     "--remote-debugging-address=0.0.0.0", NULL };

	static const char *const tokenless[] = { "App.token=''", "App.token=\"\"",
						 "Provider.token=''", "--auth none",
						 "--auth=none", NULL };
	static const char *const anywhere[] = { "--ip=0.0.0.0", "--ip 0.0.0.0", "--ip=*", "--ip='*'",
						"--bind-addr 0.0.0.0", "--bind-addr=0.0.0.0", NULL };

	if (text_holds_any(f->value, flags))
		eval_say(e, "a debugger listens on every address");
	else if (text_holds_any(f->value, tokenless) && text_holds_any(f->value, anywhere))
		eval_say(e, "a notebook or editor listens on every address and asks for no token");
	else
		return VERDICT_QUIET;
	return VERDICT_FIRES;
}

static bool is_server(const struct fact *f)
{
	static const char *const servers[] = { "uvicorn", "gunicorn", "hypercorn", "nginx",
					       "httpd",	  "fastapi",  "flask run", "http.server", NULL };

	return text_holds_any(f->value, servers);
}

/* A web server that is no notebook happens to use the port. */
static bool starts_something_else(struct eval *e)
{
	return eval_find(e, FACT_COMMAND, is_server) || eval_find(e, FACT_ENTRYPOINT, is_server);
}

static enum verdict debug_port(struct eval *e, const struct fact *f)
{
	uint64_t target;

	if (f->kind == FACT_COMMAND || f->kind == FACT_ENTRYPOINT)
		return debug_command(e, f);
	if (!port_target(f, &target))
		return VERDICT_QUIET;
	for (size_t i = 0; i < sizeof debuggers / sizeof *debuggers; i++)
		if (debuggers[i] == target) {
			if (f->kind != FACT_PORT)
				eval_severity(e, SEVERITY_INFO);
			else if (port_reach(f) == REACH_LOOPBACK)
				eval_severity(e, SEVERITY_MEDIUM);
			eval_confidence(e, CONFIDENCE_MEDIUM);
			if (f->kind == FACT_PORT && starts_something_else(e))
				eval_severity(e, SEVERITY_INFO);
			eval_say(e, "port %llu is %s: usual for a debugger or a notebook%s",
				 (unsigned long long)target,
				 f->kind == FACT_PORT ? "published" : "declared",
				 starts_something_else(e) ? "; what starts is another program" : "");
			return VERDICT_FIRES;
		}
	return VERDICT_QUIET;
}

static enum verdict uses_dashboard(struct eval *e, const struct fact *f, const char *const *names)
{
	const char *holder = f->kind == FACT_RBAC_SUBJECT ? attribute_of(f, "role") : f->value;

	if (!text_is_any(holder, names))
		return VERDICT_QUIET;
	eval_severity(e, SEVERITY_INFO);
	eval_say(e, "the rights of the cluster dashboard are given to %s",
		 f->kind == FACT_RBAC_SUBJECT ? f->value : eval_row(e)->name);
	return VERDICT_FIRES;
}

/* Programs whose web page administers something; the rights behind it are the row's. */
static enum verdict admin_interface_exposed(struct eval *e, const struct fact *f)
{
	static const char *const names[] = { "portainer", "adminer", "phpmyadmin", "pgadmin",
					     "mongo-express", "redis-commander", "kubeflow",
					     "weave/scope", "weaveworks/scope", "jenkins",
					     "rundeck", "dockge", "yacht", "cockpit", "argocd",
					     "argocli", "argo-server", "headlamp", "octant",
					     "rancher/rancher", "flowise", "n8nio", NULL };
	static const char *const flags[] = { "--api.insecure", "api.insecure=true",
					     "--enable-skip-login", "--insecure-port", NULL };
	static const char *const board[] = { "kubernetes-dashboard", "kubernetesui/dashboard",
					     "k8s-dashboard", NULL };
	bool flagged = f->kind != FACT_IMAGE && text_holds_any(f->value, flags) &&
		       !text_holds(f->value, "api.insecure=false");
	static const char *const others[] = { "-e2e", "-test", "-mock", "-exporter", NULL };
	bool named = f->kind == FACT_IMAGE && text_holds_any(f->value, names) &&
		     !text_holds_any(f->value, others);
	bool dashboard = f->kind == FACT_IMAGE && text_holds_any(f->value, board);

	if (f->kind == FACT_SERVICE_ACCOUNT || f->kind == FACT_RBAC_SUBJECT)
		return uses_dashboard(e, f, board);
	if (!flagged && !named && !dashboard)
		return VERDICT_QUIET;
	if (!row_publishes(e) && !row_is_routed(e)) {
		if (!dashboard)
			return VERDICT_QUIET;
		eval_severity(e, SEVERITY_MEDIUM);
		eval_say(e, "the cluster dashboard is deployed (%s)", f->value);
		return VERDICT_FIRES;
	}
	eval_say(e, "an administration interface can be reached: %s", f->value);
	return VERDICT_FIRES;
}

static bool setting_is(struct eval *e, const char *text)
{
	return eval_value(e, FACT_DAEMON_DEFAULT, text) != NULL;
}

static enum verdict kubelet_open(struct eval *e, const struct fact *f)
{
	if (text_begins(f->value, "readOnlyPort=") || text_begins(f->value, "read-only-port=")) {
		if (text_holds(f->value, "Port=0") || text_holds(f->value, "port=0"))
			return VERDICT_QUIET;
		eval_severity(e, SEVERITY_MEDIUM);
		eval_say(e, "the kubelet's read-only port is open (%s)", f->value);
		return VERDICT_FIRES;
	}
	if (!fact_is_nocase(f, "authentication.anonymous.enabled=true") &&
	    !fact_is_nocase(f, "anonymous-auth=true"))
		return VERDICT_QUIET;
	if (!setting_is(e, "authorization.mode=AlwaysAllow") &&
	    !setting_is(e, "authorization-mode=AlwaysAllow"))
		return VERDICT_QUIET;
	eval_say(e, "the kubelet answers anyone and allows everything");
	return VERDICT_FIRES;
}

static bool starts_ssh_server(const struct fact *f)
{
	static const char *const daemons[] = { "sshd", "dropbear", NULL };

	return text_has_word(f->value, daemons);
}

static enum verdict ssh_in_container(struct eval *e, const struct fact *f)
{
	uint64_t target, published;

	if (f->kind == FACT_COMMAND || f->kind == FACT_ENTRYPOINT || f->kind == FACT_ENTRY_STEP) {
		/* A step of the row's own command says nothing that the command does not. */
		if (!starts_ssh_server(f) ||
		    (f->kind == FACT_ENTRY_STEP && (eval_find(e, FACT_COMMAND, starts_ssh_server) ||
						    eval_find(e, FACT_ENTRYPOINT, starts_ssh_server))))
			return VERDICT_QUIET;
		eval_say(e, "an ssh server is started: %s", f->value);
		return VERDICT_FIRES;
	}
	if (!port_target(f, &target))
		target = 0;
	if (!port_published(f, &published))
		published = 0;
	/* 2222 is the usual port of a server that may not open 22. */
	if (target != 22 && published != 22 && target != 2222)
		return VERDICT_QUIET;
	if (f->kind == FACT_EXPOSE)
		eval_severity(e, SEVERITY_INFO);
	eval_say(e, "the ssh port is %s", f->kind == FACT_EXPOSE ? "exposed" : "opened");
	return VERDICT_FIRES;
}

static enum verdict port_privileged(struct eval *e, const struct fact *f)
{
	uint64_t port;

	if (!port_target(f, &port) || port == 0 || port >= 1024)
		if (!port_published(f, &port) || port == 0 || port >= 1024)
			return VERDICT_QUIET;
	eval_say(e, "port %llu is below 1024", (unsigned long long)port);
	return VERDICT_FIRES;
}

static bool has_no_authentication(const struct fact *f)
{
	return !attribute_true(f, "auth");
}

/* True when a published port leads to the listener, as far as both are numbers. */
static bool leads_to(struct eval *e, const struct fact *listener)
{
	const struct fact *port = row_first(eval_row(e), FACT_PORT, eval_layer(e));
	uint64_t own, target;

	if (!has_no_authentication(listener))
		return false;
	if (!attribute_number(listener, "port", &own))
		return true;
	for (; port; port = row_next(eval_row(e), port))
		if (!port_target(port, &target) || target == own)
			return true;
	return false;
}

static enum verdict x_mcp_http_noauth_published(struct eval *e, const struct fact *f)
{
	const struct row *row = eval_row(e);
	const struct fact *listener = row_first(row, FACT_LISTEN, eval_layer(e));

	(void)f;
	if (row->role != ROLE_MCP_SERVER && row->role != ROLE_AGENT)
		return VERDICT_QUIET;
	if (!eval_part(e, "publish-all-interfaces"))
		return VERDICT_QUIET;
	if (!listener && row->role == ROLE_AGENT) {
		eval_severity(e, SEVERITY_HIGH);
		eval_confidence(e, CONFIDENCE_LOW);
		eval_say(e, "a port of %s is published on all interfaces; what answers there is not "
			    "known, nor whether it asks who calls", row->name);
		return VERDICT_FIRES;
	}
	while (listener && !leads_to(e, listener)) {
		listener = row_next(row, listener);
		if (!listener)
			return VERDICT_QUIET;
	}
	eval_part(e, "mcp-bind-all");
	eval_say(e, "an endpoint of %s is published on all interfaces and no authentication is in "
		    "evidence", row->name);
	return VERDICT_FIRES;
}

const struct rule rules_ingress[] = {
	{
		.slug = "publish-all-interfaces",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "port published with no host address, 0.0.0.0 or ::, or publish all",
		.consequence =
			"Reachable from other machines; Docker's own firewall rules let the "
			"port past host firewalls such as ufw.",
		.fix = "Write 127.0.0.1: before the port, or put it on an internal network.",
		.compatibility =
			"Remote callers need a proxy; before Engine 28.0 hosts on the same L2 "
			"segment could still reach a loopback-published port.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "port-published-on-all-interfaces",
		.each = FACT_PORT,
		.judge = publish_all_interfaces,
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
		.fix = "Use stdio or bind to loopback with a token.",
		.compatibility = "Other machines lose access.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "",
		.each = FACT_LISTEN,
		.judge = mcp_bind_all,
	},
	{
		.slug = "mcp-origin-unchecked",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_LOW,
		.trigger = "HTTP MCP server with no evidence that Origin is validated",
		.consequence =
			"The specification requires the check; without it browser pages may "
			"reach a local server.",
		.fix =
			"Point to the server's check or put a checking proxy in front; else "
			"mark unavailable.",
		.compatibility = "Browser clients must be listed.",
		.owner = "service owner",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(MCP),
		.concepts = "",
		.each = FACT_REMOTE,
		.also = { FACT_LISTEN },
		.judge = mcp_origin_unchecked,
	},
	{
		.slug = "hostport",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "hostPort set, or Service NodePort/LoadBalancer selecting the agent pod",
		.consequence = "The agent listens on node or public addresses.",
		.fix = "Use ClusterIP and an authenticated ingress.",
		.compatibility = "Callers change address.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "host-port",
		.each = FACT_HOST_PORT,
		.also = { FACT_SERVICE },
		.judge = hostport,
	},
	{
		.slug = "debug-port",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"published debugger port or notebook without token (9229, 5678, 5005, "
			"2345, 9222; 8888) or --inspect=0.0.0.0; info when only EXPOSEd",
		.consequence = "A debugger port is code execution as that process.",
		.fix = "Remove it or bind to loopback.",
		.compatibility = "Remote debugging needs a tunnel.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "",
		.each = FACT_PORT,
		.also = { FACT_EXPOSE, FACT_CONTAINER_PORT, FACT_COMMAND, FACT_ENTRYPOINT },
		.judge = debug_port,
	},
	{
		.slug = "admin-interface-exposed",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"a dashboard, debugger or administration interface is published or "
			"routed without authentication in evidence",
		.consequence = "Whoever reaches it acts with the row's rights.",
		.fix = "Bind it to loopback or put authentication in front.",
		.compatibility = "Operators use a tunnel.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "sensitive-interface-exposed",
		.each = FACT_IMAGE,
		.also = { FACT_COMMAND, FACT_ENTRYPOINT, FACT_SERVICE_ACCOUNT, FACT_RBAC_SUBJECT },
		.judge = admin_interface_exposed,
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
		.compatibility = "Old monitoring must authenticate.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(SYSTEMD) | FORMAT_BIT(SCRIPT),
		.concepts = "",
		.each = FACT_DAEMON_DEFAULT,
		.judge = kubelet_open,
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
		.fix = "Use exec through the orchestrator.",
		.compatibility = "People who log in change tools.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.concepts = "ssh-port-exposed",
		.each = FACT_PORT,
		.also = { FACT_EXPOSE, FACT_CONTAINER_PORT, FACT_COMMAND, FACT_ENTRYPOINT, FACT_ENTRY_STEP,
			  FACT_SERVICE },
		.judge = ssh_in_container,
	},
	{
		.slug = "port-privileged",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "the row listens on a port below 1024",
		.consequence =
			"The process needs NET_BIND_SERVICE or root unless the runtime sets "
			"net.ipv4.ip_unprivileged_port_start=0, as Docker and containerd 2.x do "
			"by default.",
		.fix = "Listen on a high port and map it.",
		.compatibility = "Clients keep the outer port.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(DOCKERFILE) |
			   FORMAT_BIT(IMAGE_INSPECT) | FORMATS_RUN,
		.concepts = "privileged-port",
		.each = FACT_PORT,
		.also = { FACT_EXPOSE, FACT_CONTAINER_PORT },
		.judge = port_privileged,
	},
	{
		.slug = "x-mcp-http-noauth-published",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"MCP or agent HTTP endpoint published on all interfaces AND no "
			"authentication in evidence",
		.consequence = "Anyone on the network runs the tools.",
		.fix = "Bind to loopback and add a token.",
		.compatibility = "Remote clients need the token.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.combination = true,
		.concepts = "",
		.judge = x_mcp_http_noauth_published,
	},
};

const size_t rules_ingress_count = sizeof rules_ingress / sizeof *rules_ingress;
