/* Packages that a command installs: which, pinned or not, with what checks switched off.
 *
 * One fact a command; its value names what has no version, or everything when all is pinned. What
 * counts as pinned follows each manager's own spelling of a version.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "src/formats/script/steps.h"

#define NAMES_SHOWN 200u

struct manager {
	const char *title, *programs;
	const char *verbs;    /* the operand that installs */
	const char *taking;   /* options with a value that is no package */
	const char *files;    /* options whose value is a list, a project or a constraint file */
	const char *versions; /* options that give the version of what is named */
	const char *unsigned_options;
	bool (*pinned)(const char *spec);
	const char *fetches;  /* the verb that never takes what is already there */
	bool project; /* without a name it installs what the project's files say */
	bool hooks;   /* runs scripts of what it installs */
};

static bool ends(const char *text, const char *suffixes)
{
	return path_ends(text, suffixes);
}

static bool is_path(const char *spec)
{
	return spec[0] == '.' || spec[0] == '/' || spec[0] == '~';
}

static bool has_url(const char *spec)
{
	return strstr(spec, "://") != NULL;
}

static bool is_vcs(const char *spec)
{
	return strncmp(spec, "git+", 4) == 0 || strncmp(spec, "git:", 4) == 0 ||
	       strncmp(spec, "git@", 4) == 0 || strncmp(spec, "github:", 7) == 0 ||
	       (has_url(spec) && (strstr(spec, ".git#") || ends(spec, ".git"))) ||
	       strstr(spec, " @ git+") || strncmp(spec, "hg+", 3) == 0;
}

static bool apt_pinned(const char *spec)
{
	return strchr(spec, '=') || strchr(spec, '/') || ends(spec, ".deb") ||
	       spec[strlen(spec) - 1] == '-'; /* "name-" removes it */
}

static bool apk_pinned(const char *spec)
{
	return strpbrk(spec, "=<>~") || ends(spec, ".apk") || spec[0] == '!' || spec[0] == '/' ||
	       spec[0] == '.';
}

/* "name-1.2", "name = 1.2", "name:stream", "@group". */
static bool rpm_pinned(const char *spec)
{
	const char *dash = spec;

	if (ends(spec, ".rpm") || has_url(spec) || is_path(spec) || strpbrk(spec, "=:"))
		return true;
	while ((dash = strchr(dash, '-')))
		if (isdigit((unsigned char)*++dash))
			return true;
	return false;
}

static bool zypper_pinned(const char *spec)
{
	return strpbrk(spec, "=<>~") || ends(spec, ".rpm") || is_path(spec) || has_url(spec);
}

static bool pip_pinned(const char *spec)
{
	if (is_vcs(spec))
		return strchr(strstr(spec, "://") ? strstr(spec, "://") + 3 : spec, '@') != NULL;
	return strpbrk(spec, "=<>~!") || is_path(spec) || strchr(spec, '@') || has_url(spec) ||
	       ends(spec, ".whl .zip .tar.gz .txt") || strchr(spec, '/') || strchr(spec, '*');
}

static bool npm_pinned(const char *spec)
{
	const char *version;

	if (is_vcs(spec) || strncmp(spec, "git", 3) == 0)
		return strchr(spec, '#') != NULL;
	if (is_path(spec) || ends(spec, ".tgz .tar.gz .tar") || strncmp(spec, "file:", 5) == 0)
		return true;
	if (spec[0] != '@' && strchr(spec, '/'))
		return strchr(spec, '#') != NULL; /* owner/repository */
	version = strchr(spec + 1, '@');
	/* "name@latest" is a tag that its publisher moves. */
	return version && strpbrk(version, "0123456789:/$");
}

static bool gem_pinned(const char *spec)
{
	return strchr(spec, ':') || ends(spec, ".gem");
}

static bool go_pinned(const char *spec)
{
	const char *at = strchr(spec, '@');

	/* A name without a dot in it is of the standard library or of the module itself. */
	if (is_path(spec) || ends(spec, ".go") || (!at && !strchr(spec, '.')))
		return true;
	return at && strcmp(at, "@latest") != 0 && strcmp(at, "@upgrade") != 0;
}

static bool cargo_pinned(const char *spec)
{
	return strchr(spec, '@') != NULL;
}

static bool conda_pinned(const char *spec)
{
	return strpbrk(spec, "=<>") || is_path(spec) || has_url(spec) ||
	       ends(spec, ".conda .tar.bz2");
}

#define NPM_TAKING                                                                                 \
	"--prefix --registry --cache --userconfig --tag --omit --include -C --dir --workspace -w " \
	"--loglevel --fetch-timeout --fetch-retries --unsafe-perm --network-timeout --cwd "        \
	"--modules-folder --mutex --store-dir --filter --global-dir --cache-folder"
#define RPM_TAKING                                                                                 \
	"--enablerepo --disablerepo --setopt --installroot --releasever -c --config --repo "       \
	"--repofrompath -x --exclude --disableplugin --enableplugin --repoid -R -d -e "            \
	"--downloaddir --advisory --forcearch"

static const struct manager managers[] = {
	{ .title = "apt", .programs = "apt-get apt aptitude", .verbs = "install",
	  .taking = "-t --target-release -o --option -c --config-file --default-release -a "
		    "--host-architecture",
	  .unsigned_options = "--allow-unauthenticated --force-yes --no-gpg-check",
	  .pinned = apt_pinned },
	{ .title = "apk", .programs = "apk", .verbs = "add",
	  .taking = "-t --virtual -X --repository -p --root --arch --keys-dir "
		    "--repositories-file --cache-dir --cache-max-age --wait",
	  .unsigned_options = "--allow-untrusted", .pinned = apk_pinned },
	{ .title = "yum", .programs = "yum", .verbs = "install localinstall reinstall",
	  .taking = RPM_TAKING, .unsigned_options = "--nogpgcheck --no-gpgcheck --no-gpg-checks",
	  .pinned = rpm_pinned },
	{ .title = "dnf", .programs = "dnf microdnf dnf5 tdnf",
	  .verbs = "install in localinstall reinstall",
	  .taking = RPM_TAKING, .unsigned_options = "--nogpgcheck --no-gpgcheck --no-gpg-checks",
	  .pinned = rpm_pinned },
	{ .title = "zypper", .programs = "zypper", .verbs = "install in",
	  .taking = "-r --repo -t --type --from -R --root -c --config --plus-repo -p",
	  .unsigned_options = "--no-gpg-checks --allow-unsigned-rpm", .pinned = zypper_pinned },
	{ .title = "pip", .programs = "pip pip2 pip3 pipx", .verbs = "install",
	  .taking = "-i --index-url --extra-index-url -f --find-links -t --target --prefix --root "
		    "--src --trusted-host --cache-dir --proxy --timeout --retries --cert "
		    "--client-cert --log --platform --python-version --python --implementation "
		    "--abi --only-binary --no-binary --progress-bar -d --exists-action "
		    "--global-option --install-option --config-settings --upgrade-strategy "
		    "--report --use-feature --use-deprecated --root-user-action --keyring-provider",
	  .files = "-r --requirement -e --editable --no-index --group --requirements",
	  .versions = "-c --constraint --constraints", .pinned = pip_pinned },
	{ .title = "uv", .programs = "uv", .verbs = "add",
	  .taking = "--index --index-url --extra-index-url --group --extra --python -p --project "
		    "--directory --branch --script",
	  .files = "-r --requirements --editable", .versions = "-c --constraints --tag --rev",
	  .pinned = pip_pinned },
	{ .title = "poetry", .programs = "poetry", .verbs = "add",
	  .taking = "--group -G --source --extras -E --python", .pinned = pip_pinned },
	{ .title = "npm", .programs = "npm", .verbs = "install i add ci in isntall install-clean",
	  .taking = NPM_TAKING, .pinned = npm_pinned, .project = true, .hooks = true },
	{ .title = "pnpm", .programs = "pnpm", .verbs = "install i add", .taking = NPM_TAKING,
	  .pinned = npm_pinned, .project = true, .hooks = true },
	{ .title = "yarn", .programs = "yarn yarnpkg", .verbs = "install add", .taking = NPM_TAKING,
	  .pinned = npm_pinned, .project = true, .hooks = true },
	{ .title = "bun", .programs = "bun", .verbs = "install add i a",
	  .taking = "--cwd --config --backend --registry", .pinned = npm_pinned, .project = true },
	{ .title = "gem", .programs = "gem", .verbs = "install i",
	  .taking = "-s --source -i --install-dir -n --bindir -P --trust-policy --platform "
		    "--document -p --http-proxy -B --build-root -g --file --without",
	  .files = "-g --file", .versions = "-v --version", .pinned = gem_pinned },
	{ .title = "go", .programs = "go", .verbs = "install get run",
	  .taking = "-ldflags -tags -gcflags -asmflags -p -mod -modfile -o -C -buildmode -pkgdir",
	  .pinned = go_pinned, .fetches = "get" },
	{ .title = "cargo", .programs = "cargo", .verbs = "install",
	  .taking = "--registry --index --root --features -F --target --target-dir --profile "
		    "--config -j --jobs --bin --example -Z --color",
	  .files = "--path", .versions = "--version --vers --rev --tag", .pinned = cargo_pinned },
	{ .title = "choco", .programs = "choco choco.exe cinst", .verbs = "install",
	  .taking = "-s --source --params --package-parameters --install-arguments --ia -u --user -p "
		    "--password",
	  .versions = "--version", .unsigned_options = "--ignore-checksums --allow-empty-checksums",
	  .pinned = is_path },
	{ .title = "conda", .programs = "conda mamba micromamba", .verbs = "install create",
	  .taking = "-n --name -p --prefix -c --channel --solver --strict-channel-priority -r "
		    "--root-prefix",
	  .files = "-f --file", .pinned = conda_pinned },
};

/* --- finding the manager ---------------------------------------------------------------------- */

struct install {
	const struct manager *manager;
	size_t first; /* word behind the verb */
	const char *verb;
};

static bool is_pip(const char *program)
{
	return strncmp(program, "pip", 3) == 0 &&
	       strspn(program + 3, "0123456789.") == strlen(program + 3);
}

/* "python -m pip install", "uv pip install", "uv tool install" become pip's own words. */
static size_t pip_behind(const struct call *c)
{
	if (steps_is_interpreter(c->program) && strncmp(c->program, "python", 6) == 0) {
		for (size_t i = 1; i < call_count(c); i++)
			if (strcmp(call_word(c, i), "-m") == 0)
				return is_pip(call_word(c, i + 1)) ? i + 1 : 0;
	}
	if (call_is(c, "uv") && word_in("pip tool", call_word(c, 1)))
		return 1;
	return 0;
}

static const struct manager *manager_of(const struct call *c, size_t *at)
{
	*at = pip_behind(c);
	for (size_t i = 0; i < sizeof managers / sizeof *managers; i++)
		if (*at || is_pip(c->program) ? strcmp(managers[i].title, "pip") == 0
					      : call_is_any(c, managers[i].programs))
			return &managers[i];
	return NULL;
}

static bool find_install(const struct call *c, struct install *out)
{
	size_t i, at;

	out->manager = manager_of(c, &at);
	if (!out->manager)
		return false;
	i = call_operand(c, at + 1, out->manager->taking);
	/* "yarn global add", "yum module install", "yarn workspace NAME add" */
	if (i && word_in("global module", call_word(c, i)))
		i = call_operand(c, i + 1, out->manager->taking);
	if (!i && strcmp(out->manager->title, "yarn") == 0 && !call_option(c, "--version")) {
		out->verb = "install";
		out->first = call_count(c) + 1;
		return true;
	}
	if (!i || !word_in(out->manager->verbs, call_word(c, i)))
		return false;
	out->verb = call_word(c, i);
	out->first = i + 1;
	return true;
}

/* --- what is installed ------------------------------------------------------------------------ */

struct names {
	struct buf all, loose;
	size_t count, loose_count, variables;
	bool vcs, files, versions, unsigned_;
};

/* A bare name that is neither here already nor one of the words that stand for many. */
static bool is_fetched(const struct install *in, const char *spec)
{
	return in->manager->fetches && strcmp(in->manager->fetches, in->verb) == 0 &&
	       !is_path(spec) && !strchr(spec, '@') && !word_in("all std cmd tool", spec);
}

static void add_name(struct buf *b, const char *spec)
{
	if (b->length > NAMES_SHOWN)
		return;
	if (b->length)
		buf_puts(b, ", ");
	buf_puts(b, b->length > NAMES_SHOWN - 20 ? "…" : url_has_secret(spec) ? "***" : spec);
}

static void take_name(const struct install *in, struct names *n, const char *spec)
{
	bool variable = spec[0] == '$' || strstr(spec, "$(") || strchr(spec, '`') ||
			dockerfile_is_templated(spec, strlen(spec));

	if (!*spec || (!variable && strchr("{<>|&", spec[0])))
		return;
	n->count++;
	add_name(&n->all, spec);
	n->vcs |= is_vcs(spec);
	if (variable) {
		n->variables++;
	} else if (!in->manager->pinned(spec) || is_fetched(in, spec)) {
		n->loose_count++;
		add_name(&n->loose, spec);
	}
}

static void take_words(const struct call *c, const struct install *in, struct names *n)
{
	const struct manager *m = in->manager;

	for (size_t i = 1; i <= call_count(c); i++) {
		const char *word = call_word(c, i);
		const char *option = word;
		char name[64];
		size_t length = strcspn(word, "=");

		if (word[0] == '-' && word[1]) {
			if (length < sizeof name) {
				memcpy(name, word, length);
				name[length] = '\0';
				option = name;
			}
			n->unsigned_ |= m->unsigned_options && word_in(m->unsigned_options, option);
			n->files |= m->files && word_in(m->files, option);
			n->versions |= m->versions && word_in(m->versions, option);
			if (!word[length] && strcmp(option, "--no-index") != 0)
				i += word_in(m->taking, option) ||
				     (m->files && word_in(m->files, option)) ||
				     (m->versions && word_in(m->versions, option));
		} else if (i >= in->first) {
			take_name(in, n, word);
		}
	}
}

static const char *names_text(struct arena *a, const struct install *in, const struct names *n)
{
	const struct buf *b = n->loose_count && !n->versions ? &n->loose : &n->all;

	if (b->length)
		return arena_copy(a, b->bytes, b->length);
	return in->manager->project ? "package.json" : n->files ? "a requirements file" : "";
}

static void set_pinned(struct steps *s, struct fact *f, const struct install *in,
		       const struct names *n)
{
	bool fixed = n->versions || (n->files && strcmp(in->manager->title, "cargo") == 0);

	if (strcmp(in->verb, "ci") == 0 || strcmp(in->verb, "install-clean") == 0)
		steps_set(s, f, "pinned", "true");
	else if (n->loose_count && !fixed)
		steps_set(s, f, "pinned", "false");
	else if (n->count > n->variables || fixed)
		steps_set(s, f, "pinned", "true");
	else if (n->variables)
		f->provenance = PROVENANCE_UNRESOLVED;
}

static const struct {
	const char *package, *client;
} clients[] = {
	{ "docker.io", "docker" },     { "docker-ce", "docker" },  { "docker-ce-cli", "docker" },
	{ "docker-cli", "docker" },    { "docker", "docker" },     { "moby-engine", "docker" },
	{ "podman", "podman" },	       { "podman-remote", "podman" }, { "podman-docker", "podman" },
	{ "kubectl", "kubectl" },      { "kubernetes-client", "kubectl" }, { "nerdctl", "nerdctl" },
	{ "containerd", "ctr" },       { "containerd.io", "ctr" }, { "cri-tools", "crictl" },
};

static const char *steps_client(const char *name)
{
	size_t n = strcspn(name, "=<>~@");

	for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
		if (strlen(clients[i].package) == n && strncmp(name, clients[i].package, n) == 0)
			return clients[i].client;
	return NULL;
}

void steps_tell_client(struct steps *s, const char *name, struct span span)
{
	const char *client = steps_client(name);

	for (const struct fact *f = row_first(s->row, FACT_ENGINE_CLIENT, LAYER_DECLARED); client && f;
	     f = row_next(s->row, f))
		if (strcmp(f->value, client) == 0)
			return;
	if (client)
		steps_fact_at(s, FACT_ENGINE_CLIENT, client, span);
}

/* Clients of container engines among what the system's package managers install. */
static void told_clients(struct steps *s, const struct call *c, const struct install *in)
{
	if (s->where != STEPS_BUILD || !word_in("apt apk yum dnf zypper", in->manager->title))
		return;
	for (size_t i = in->first; i <= call_count(c); i++)
		steps_tell_client(s, call_word(c, i), c->command->words.items[c->at + i].span);
}

void step_packages(struct steps *s, const struct call *c)
{
	struct install in;
	struct names n = { 0 };
	struct fact *f;

	if (!find_install(c, &in))
		return;
	take_words(c, &in, &n);
	told_clients(s, c, &in);
	if (n.count || n.files || in.manager->project) {
		f = steps_fact(s, FACT_PACKAGE_INSTALL, names_text(&s->w->snapshot->arena, &in, &n),
			       c);
		steps_set(s, f, "manager", in.manager->title);
		set_pinned(s, f, &in, &n);
		if (in.manager->hooks)
			steps_set(s, f, "hooks", call_option(c, "--ignore-scripts") ? "false" : "true");
		if (n.unsigned_)
			steps_set(s, f, "unsigned", "true");
		if (n.vcs)
			steps_set(s, f, "vcs", "true");
	}
	buf_free(&n.all);
	buf_free(&n.loose);
}

/* --- signatures ------------------------------------------------------------------------------- */

static void unsigned_fact(struct steps *s, const struct call *c, const char *manager,
			  const char *what)
{
	struct fact *f = steps_fact(s, FACT_PACKAGE_INSTALL, what, c);

	steps_set(s, f, "manager", manager);
	steps_set(s, f, "unsigned", "true");
}

/* Text that switches the check off for a repository or for good, wherever it is written to. */
static const struct {
	const char *text, *manager;
} loose_settings[] = {
	{ "trusted=yes", "apt" },
	{ "AllowUnauthenticated=true", "apt" }, { "AllowUnauthenticated \"true\"", "apt" },
	{ "AllowUnauthenticated true", "apt" }, { "AllowUnauthenticated=1", "apt" },
	{ "AllowInsecureRepositories=true", "apt" }, { "AllowInsecureRepositories \"true\"", "apt" },
	{ "AllowInsecureRepositories true", "apt" }, { "gpgcheck=0", "yum" },
	{ "gpgcheck=false", "yum" }, { "gpgcheck=no", "yum" }, { "gpgcheck = 0", "yum" },
	{ "repo_gpgcheck=0", "yum" },
};

static const char *loose_manager(const char *text)
{
	for (size_t k = 0; k < sizeof loose_settings / sizeof *loose_settings; k++)
		if (strstr(text, loose_settings[k].text))
			return loose_settings[k].manager;
	return NULL;
}

void steps_settings(struct steps *s, const char *text, size_t length, struct span span)
{
	for (size_t at = 0; at < length;) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t n = end ? (size_t)(end - text) - at : length - at;
		const char *manager =
			loose_manager(arena_copy(&s->w->snapshot->arena, text + at, n));
		struct fact *f;

		if (manager) {
			f = steps_fact_at(s, FACT_PACKAGE_INSTALL, "from a repository",
					  (struct span){ .source = span.source,
							 .offset = span.offset + (uint32_t)at,
							 .length = (uint32_t)n });
			steps_set(s, f, "manager", manager);
			steps_set(s, f, "unsigned", "true");
		}
		at += n + 1;
	}
}

void step_signatures(struct steps *s, const struct call *c)
{
	const struct shell_words *words = &c->command->words;

	for (size_t i = c->at; i < words->count; i++)
		if (loose_manager(words->items[i].text)) {
			unsigned_fact(s, c, loose_manager(words->items[i].text), "from a repository");
			return;
		}
	if (call_is(c, "rpm") &&
	    (call_option(c, "--nosignature") || call_option(c, "--nodigest") ||
	     call_option(c, "--nogpgcheck") || call_option(c, "--noverify") ||
	     call_option(c, "--nofiledigest")))
		unsigned_fact(s, c, "rpm", "a package");
	else if (call_is_any(c, "yum dnf microdnf tdnf zypper apt-get apt apk") &&
		 (call_option(c, "--nogpgcheck") || call_option(c, "--no-gpg-checks") ||
		  call_option(c, "--allow-untrusted") || call_option(c, "--allow-unauthenticated")) &&
		 !find_install(c, &(struct install){ 0 }))
		unsigned_fact(s, c, c->program, "packages");
}
