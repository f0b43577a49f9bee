#!/bin/sh
# Sets the firewall up, then becomes the agent user.
set -eu

sudo /usr/local/bin/firewall.sh || echo "no firewall" >&2

if [ "$(id -u)" = 0 ]; then
	chown -R agent:agent /var/lib/agent
	exec setpriv --reuid=agent --regid=agent --init-groups "$@"
fi
exec "$@"
