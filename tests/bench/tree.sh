#!/bin/sh
# Makes a tree of about 5,000 files for the benchmark: manifests, compose files, Dockerfiles, and nine times
# as many sources that matter to nobody, which is the share found in public repositories. usage: tests/bench/tree.sh DIRECTORY
set -eu
[ -f "$1/done" ] && exit 0
mkdir -p "$1"
awk -v root="$1" 'BEGIN {
	for (i = 0; i < 100; i++) {
		dir = sprintf("%s/unit%03d", root, i)
		system("mkdir -p " dir "/src")
		for (k = 0; k < 3; k++) {
			file = sprintf("%s/deploy%d.yaml", dir, k)
			for (d = 0; d < 4; d++) {
				printf "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d-%d-%d\n  namespace: ns%d\n  labels: {app: a%d}\nspec:\n  selector:\n    matchLabels: {app: a%d}\n  template:\n    metadata:\n      labels: {app: a%d}\n    spec:\n      containers:\n      - name: main\n        image: registry.example.net/app:%d\n        ports:\n        - containerPort: 8080\n        env:\n        - name: MODE\n          value: \"x\"\n        securityContext:\n          runAsNonRoot: true\n        volumeMounts:\n        - {name: data, mountPath: /data}\n      volumes:\n      - name: data\n        emptyDir: {}\n---\n", i, k, d, i % 20, i, i, i, d > file
			}
			close(file)
		}
		file = dir "/compose.yaml"
		for (d = 0; d < 5; d++)
			printf "%s  s%d:\n    image: example/app:%d\n    ports: [\"80%d:80\"]\n    volumes:\n      - ./data:/data\n      - /etc/localtime:/etc/localtime:ro\n    environment:\n      A: b\n", d ? "" : "services:\n", d, d, d > file
		close(file)
		file = dir "/Dockerfile"
		printf "FROM debian:12\nRUN apt-get update && \\\n    apt-get install -y curl\nCOPY . /app\nUSER 1000\nCMD [\"/app/run\"]\n" > file
		close(file)
		for (k = 0; k < 45; k++) {
			file = sprintf("%s/src/file%d.c", dir, k)
			for (d = 0; d < 60; d++)
				printf "int function_%d_%d(int a) { return a + %d; }\n", k, d, d > file
			close(file)
		}
	}
}'
touch "$1/done"
