/* What a path on the host is: engine sockets, system folders, credentials, devices, logs.
 *
 * A path is classified as text; nothing is looked up. Accepted forms: absolute, `~`, $HOME and ${HOME},
 * $XDG_RUNTIME_DIR, drive letters with either slash, named pipes; `.`, `..`, doubled and trailing
 * slashes are taken out first.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_HOST_PATHS_H
#define RULES_HOST_PATHS_H

#include <stdbool.h>

enum host_path_class {
	HOST_PATH_ROOT = 1u << 0,          /* the whole file system or a whole drive */
	HOST_PATH_SYSTEM = 1u << 1,        /* writing there is running as host root */
	HOST_PATH_KUBELET = 1u << 2,       /* kubelet, etcd, control-plane keys */
	HOST_PATH_RUNTIME_DATA = 1u << 3,  /* what the engine stores */
	HOST_PATH_PROC_SYS = 1u << 4,      /* /proc, /sys */
	HOST_PATH_HOME = 1u << 5,          /* a home folder as a whole, or all of them */
	HOST_PATH_CREDENTIAL = 1u << 6,    /* keys and tokens of a person or a service */
	HOST_PATH_LOG = 1u << 7,           /* /var/log or a parent */
	HOST_PATH_TMP = 1u << 8,           /* /tmp, /var/tmp */
	HOST_PATH_SESSION = 1u << 9,       /* $XDG_RUNTIME_DIR as a whole, or a parent */
	HOST_PATH_DEVICE = 1u << 10,       /* /dev and below */
	HOST_PATH_ENGINE_SOCKET = 1u << 11, /* the Docker engine's, or a folder that holds it */
	HOST_PATH_RUNTIME_SOCKET = 1u << 12, /* containerd, CRI-O, podman as root …, or their folder */
	HOST_PATH_BUILD_SOCKET = 1u << 13,  /* BuildKit */
	HOST_PATH_USER_SOCKET = 1u << 14,   /* an engine that runs as the user */
	HOST_PATH_AGENT_SOCKET = 1u << 15,  /* ssh-agent */
	HOST_PATH_BUS_SOCKET = 1u << 16,    /* D-Bus, systemd, display, keyring, editor */
	HOST_PATH_ORDINARY = 1u << 17,      /* time zone, public certificates: usually harmless */
	HOST_PATH_PARENT = 1u << 18,        /* the class holds because of something below the path */
	HOST_PATH_SENSITIVE = 1u << 19,     /* other operating system folders: /var, /opt, /srv, /mnt */
};

/* The classes of PATH as a set; 0 when it is none of them (a named volume, a project folder). */
unsigned host_path_classes(const char *path);
/* True when a path is written as a variable or template that says nothing about the place. */
bool host_path_is_opaque(const char *path);
/* Brings a path to the form compared above; OUT gets at most SIZE bytes. Home folders of any spelling
 * become "~", the user number below /run/user a star, /var/run becomes /run. False when it does not fit. */
bool host_path_normalise(const char *path, char *out, unsigned long size);

#endif
