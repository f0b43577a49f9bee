#!/bin/sh
# Writes boundwalk(1) and boundwalk-rules(7) from their templates and the tables in the program.
# usage: man/generate.sh BOUNDWALK [DIRECTORY]; "make man" calls it.
# SPDX-License-Identifier: MIT
set -e
here=$(dirname "$0")
into=${2:-$here}
part=$(mktemp)
trap 'rm -f "$part"' EXIT

# fill PAGE KIND: the template with its marked line replaced by what the program prints for KIND.
fill() {
	"$program" completion "$2" >"$part"
	sed -e "/@SECTIONS@/{" -e "r $part" -e d -e "}" "$here/$1.in" >"$into/$1"
}

program=$1
fill boundwalk.1 man
fill boundwalk-rules.7 man-rules
