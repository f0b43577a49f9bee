#!/bin/sh
# Installs the Debian packages that are missing, and says which. usage: tests/packages.sh PACKAGE…
set -u
missing=
for package in "$@"; do
	dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
		missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing with apt-get:$missing"
command -v apt-get >/dev/null || {
	echo "apt-get is not here; install by other means:$missing" >&2
	exit 2
}
root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "neither root nor sudo; install as root:$missing" >&2
		exit 2
	}
	root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # the list is words
$root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends $missing >/dev/null
