/* Arguments of a server: addresses, directories it may use, listeners.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/formats/mcp/mcp.h"

/* --- directories ---------------------------------------------------------------------------- */

/* Options whose value limits or names what a file server may use. */
static bool is_directory_option(const char *word)
{
	static const char *const names[] = {
		"root",
		"roots",
		"root-dir",
		"root-directory",
		"allowed-directories",
		"allowed-directory",
		"allowed-dir",
		"allowed-dirs",
		"allow-dir",
		"allow-path",
		"allowed-path",
		"allowed-paths",
		"base-dir",
		"base-path",
		"dir",
		"directory",
		"path",
		"paths",
		"workspace",
		"workspace-dir",
		"workspaces",
		"vault",
		"vault-path",
		"data-dir",
		"folder",
		"mount",
		"repository",
		"project-root",
		"sandbox-dir",
	};
	size_t length;

	if (word[0] != '-')
		return false;
	word += strspn(word, "-");
	length = strcspn(word, "=");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && strncasecmp(word, names[i], length) == 0)
			return true;
	return false;
}

static bool is_path(const char *text)
{
	if (strstr(text, "://"))
		return false;
	return text[0] == '/' || text[0] == '~' || strcmp(text, ".") == 0 ||
	       strcmp(text, "..") == 0 || strncmp(text, "./", 2) == 0 ||
	       strncmp(text, "../", 3) == 0 || strncmp(text, "\\\\", 2) == 0 ||
	       strncmp(text, "$HOME", 5) == 0 ||
	       strncasecmp(text, "%USERPROFILE%", 13) == 0 || strncmp(text, "$PWD", 4) == 0 ||
	       strncmp(text, "${", 2) == 0 ||
	       (isalpha((unsigned char)text[0]) && text[1] == ':' &&
	        (!text[2] || text[2] == '\\' || text[2] == '/'));
}

static bool holds_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (; (text = strcasestr(text, word)); text++) {
		/* The caller's text begins with a separator. */
		if (!isalnum((unsigned char)text[-1]) && !isalnum((unsigned char)text[n]))
			return true;
	}
	return false;
}

static bool names_files(struct arena *a, const char *text)
{
	static const char *const words[] = { "fs",        "files",    "file", "filesystems",
		                             "commander", "obsidian", "git" };

	if (!text)
		return false;
	if (strcasestr(text, "filesystem") || strcasestr(text, "file-system"))
		return true;
	text = arena_printf(a, "/%s", text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (holds_word(text + 1, words[i]))
			return true;
	return false;
}

/* Whether the server's names say that it serves files. */
static bool is_file_server(const struct mcp_server *s, const struct argv *v)
{
	struct arena *a = &s->w->snapshot->arena;

	return names_files(a, s->name) || names_files(a, s->package) ||
	       names_files(a, argv_program(a, argv_at(v, s->program)));
}

/* A home directory itself: "/home/x", "/Users/x", "C:\Users\x", "~", "$HOME". */
static bool is_home(const char *path)
{
	static const char *const whole[] = {
		"~",     "$HOME", "${HOME}", "${userHome}",       "${env:HOME}", "%USERPROFILE%",
		"/root", "/home", "/Users",  "${env:USERPROFILE}"
	};
	static const char *const parents[] = { "/home/", "/Users/", "C:/Users/" };
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strlen(whole[i]) == length && strncasecmp(path, whole[i], length) == 0)
			return true;
	for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
		size_t n = strlen(parents[i]);

		if (length > n && strncasecmp(path, parents[i], n) == 0 &&
		    !memchr(path + n, '/', length - n))
			return true;
	}
	return false;
}

static bool is_system(const char *path)
{
	static const char *const roots[] = { "/etc",  "/var", "/usr",     "/opt",
		                             "/proc", "/sys", "/dev",     "/run",
		                             "/boot", "/mnt", "/Volumes", "C:/Windows" };
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		if (strlen(roots[i]) == length && strncasecmp(path, roots[i], length) == 0)
			return true;
	return false;
}

static bool climbs(const char *path)
{
	size_t length = strlen(path);

	return strcmp(path, "..") == 0 || strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
	       (length > 3 && strcmp(path + length - 3, "/..") == 0);
}

static bool is_drive(const char *path)
{
	return isalpha((unsigned char)path[0]) && path[1] == ':' &&
	       (!path[2] || (path[2] == '/' && !path[3]));
}

/* Why a directory is wide, or NULL. */
static const char *width_of(struct arena *a, const char *text)
{
	char *path = arena_strdup(a, text);

	for (char *p = path; *p; p++)
		if (*p == '\\')
			*p = '/';
	if (*path && strspn(path, "/") == strlen(path))
		return "root";
	if (is_drive(path))
		return "drive";
	if (is_home(path))
		return "home";
	if (strpbrk(path, "*?"))
		return "wildcard";
	if (climbs(path))
		return "parent";
	return is_system(path) ? "system" : NULL;
}

/* A variable whose folder is known by its name alone. */
static bool is_known_folder(const char *path)
{
	return strncmp(path, "${workspaceFolder", 17) == 0 || strncmp(path, "${PWD", 5) == 0 ||
	       strncmp(path, "${HOME", 6) == 0 || strncmp(path, "${userHome", 10) == 0 ||
	       strncmp(path, "${env:HOME", 10) == 0 || strncmp(path, "${env:USERPROFILE", 17) == 0;
}

static void access_root(struct mcp_server *s, const char *path, struct span span)
{
	struct fact *f = mcp_fact(s, FACT_ACCESS_ROOT, path, span);

	if (strncmp(path, "${", 2) == 0 && !is_known_folder(path)) {
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "the folder is known when the client starts";
	}
	mcp_set(s, f, "enforced", "server");
	mcp_set(s, f, "wide", width_of(&s->w->snapshot->arena, path));
}

/* "uv --directory D" says where the launcher finds the server, not what the server may use. */
static bool is_launcher_option(struct arena *a, const struct argv *v, const struct mcp_server *s,
                               const char *word)
{
	const char *value;

	return strcmp(argv_program(a, argv_at(v, s->program)), "uv") == 0 &&
	       (argv_is_option(word, "--directory", &value) ||
	        argv_is_option(word, "--project", &value));
}

static void directory_word(struct mcp_server *s, const struct argv *v, size_t i, bool files)
{
	struct arena *a = &s->w->snapshot->arena;
	const struct argv_word *word = &v->items[i];
	const char *equals = strchr(word->text, '=');
	bool named = i && is_directory_option(v->items[i - 1].text);
	const char *width;

	if (is_launcher_option(a, v, s, word->text) ||
	    (i && is_launcher_option(a, v, s, v->items[i - 1].text)))
		return;
	if (word->text[0] == '-') {
		if (equals && is_directory_option(word->text) && (files || width_of(a, equals + 1)))
			access_root(s, equals + 1, word->span);
		return;
	}
	if (!is_path(word->text))
		return;
	width = width_of(a, word->text);
	if (files || named ||
	    (width && strcmp(width, "parent") != 0 && strcmp(width, "system") != 0))
		access_root(s, word->text, word->span);
}

static void list_of_directories(struct mcp_server *s, const struct node *list)
{
	for (uint32_t i = 0; node_is_seq(list) && i < list->count; i++)
		if (node_text(node_at(list, i)))
			access_root(s, node_text(node_at(list, i)), node_at(list, i)->span);
}

/* Some clients keep the directories beside the arguments. */
static void configured_directories(struct mcp_server *s)
{
	static const char *const keys[] = { "allowedDirectories", "allowed_directories", "roots",
		                            "directories", "allowedPaths" };
	static const char *const maps[] = { "config", "settings", "options" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		list_of_directories(s, node_get(s->entry, keys[i]));
		for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
			list_of_directories(s, node_path(s->entry, maps[m], keys[i], NULL));
	}
}

/* --- addresses and listeners ---------------------------------------------------------------- */

/* Programs that make a remote server look like a local one: their first URL is that server. */
static bool is_bridge(const struct mcp_server *s, const struct argv *v)
{
	static const char *const names[] = { "mcp-remote", "mcp-proxy", "supergateway",
		                             "mcp-bridge", "remote-mcp" };
	const char *program = argv_program(&s->w->snapshot->arena, argv_at(v, s->program));

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((s->package && strstr(s->package, names[i])) || strstr(program, names[i]))
			return true;
	return false;
}

/* A package whose only argument is an address forwards to it. */
static bool only_argument(const struct mcp_server *s, const struct argv *v, size_t at)
{
	size_t words = 0;

	for (size_t i = s->program + 1; i < v->count; i++)
		words += v->items[i].text[0] != '-';
	return s->package && words == 2 && at + 1 == v->count;
}

static bool is_address(const char *text)
{
	return strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0 ||
	       strncasecmp(text, "ws://", 5) == 0 || strncasecmp(text, "wss://", 6) == 0;
}

static bool has_header_fact(const struct mcp_server *s)
{
	return row_first(s->row, FACT_HEADER, LAYER_DECLARED) != NULL;
}

static void address_word(struct mcp_server *s, const struct argv_word *word, bool bridge)
{
	const char *equals = strchr(word->text, '=');
	const char *text = word->text[0] == '-' && equals ? equals + 1 : word->text;
	struct fact *f;

	if (!is_address(text))
		return;
	f = mcp_url(s, text, word->span, bridge ? "bridge" : "argument");
	if (bridge && !fact_attribute(f, "auth"))
		mcp_set(s, f, "auth", has_header_fact(s) ? "true" : "false");
}

/* Value of the first of NAMES (ended by NULL) among the options; *WORD is where it stands. */
static const char *option_value(const struct argv *v, size_t from, const char *const *names,
                                const struct argv_word **word)
{
	const char *value;

	for (size_t i = from; i < v->count; i++)
		for (size_t n = 0; names[n]; n++) {
			if (!argv_is_option(v->items[i].text, names[n], &value))
				continue;
			if (!value && i + 1 >= v->count)
				return NULL;
			*word = value ? &v->items[i] : &v->items[i + 1];
			return value ? value : v->items[i + 1].text;
		}
	return NULL;
}

static void read_listener(struct mcp_server *s, const struct argv *v, size_t from)
{
	static const char *const hosts[] = { "--host",    "--bind",         "--listen",
		                             "--address", "--bind-address", "--hostname",
		                             "--addr",    "--ip",           NULL };
	static const char *const ports[] = { "--port", "--sse-port", "--http-port", NULL };
	struct arena *a = &s->w->snapshot->arena;
	const struct argv_word *on = NULL, *at = NULL;
	const char *host = option_value(v, from, hosts, &on);
	const char *port = option_value(v, from, ports, &at);
	struct fact *f;

	if ((!host && !port) || (host && is_address(host)))
		return;
	f = mcp_fact(s, FACT_LISTEN, arena_printf(a, "%s:%s", host ? host : "", port ? port : ""),
	             on ? on->span : at->span);
	mcp_set(s, f, "address", host ? host : "");
	mcp_set(s, f, "port", port ? port : "");
	mcp_set(s, f, "auth", "unknown");
}

void mcp_read_arguments(struct mcp_server *s, const struct argv *v, size_t from)
{
	bool files = is_file_server(s, v), bridge = is_bridge(s, v);

	configured_directories(s);
	for (size_t i = from; i < v->count; i++) {
		directory_word(s, v, i, files);
		address_word(s, &v->items[i], bridge || only_argument(s, v, i));
	}
	read_listener(s, v, from);
}
