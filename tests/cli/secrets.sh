#!/bin/sh
# One secret in every place where files of a repository hold some: none is printed by any command.
. tests/cli.sh

# Each shows by its number where it came from.
secret=Zq9xT4vL8wK3hunter
plant() {
	t=$1
	mkdir -p "$t/app" "$t/k8s" "$t/exports" "$t/.github/workflows" "$t/.devcontainer" "$t/.claude" "$t/.codex" "$t/.cursor" "$t/.vscode" "$t/chart/templates"  "$t/systemd"
	cat >"$t/compose.yaml" <<END
x-env: &env
  SHARED_TOKEN: ${secret}101
services:
  map:
    build:
      context: ./app
      args: {NPM_TOKEN: ${secret}102}
      labels: {build.password: ${secret}103}
      secrets: [tok]
    command: ["agent", "--api-key", "${secret}104", "--password=${secret}105"]
    entrypoint: sh -c 'DB_PASSWORD=${secret}106 exec agent --token ${secret}107'
    environment:
      <<: *env
      API_KEY: "${secret}108"
      DATABASE_URL: postgres://app:${secret}109@db/app
      REDIS_URL: "redis://:${secret}110@cache:6379/0"
      WEBHOOK: https://h.example/x?api_key=${secret}111&y=1
      JDBC: "jdbc:postgresql://db/x?user=a&password=${secret}112"
      CONN: "Server=db;User Id=sa;Password=${secret}113;"
      DEF_TOKEN: \${DEF_TOKEN:-${secret}114}
      JSON_CFG: '{"password": "${secret}115", "a": 1}'
      MULTI_SECRET: |
        line ${secret}116
        ${secret}117
      FOLDED_PASSWORD: >-
        ${secret}118
      QUOTED_SECRET:
        "${secret}119"
      AUTH_HEADER: "Bearer ${secret}120"
      BASIC_AUTH: "admin:${secret}121"
      HTPASSWD: "admin:${secret}122"
      HTTP_PROXY: http://user:${secret}123@proxy:3128
    labels:
      - "deploy.token=${secret}124"
      - "traefik.http.middlewares.a.basicauth.users=admin:${secret}125"
    healthcheck:
      test: ["CMD", "curl", "-u", "admin:${secret}126", "http://localhost"]
    logging: {driver: splunk, options: {splunk-token: "${secret}127"}}
    sysctls: {}
    post_start:
      - command: ["curl", "-H", "Authorization: Bearer ${secret}128", "http://x"]
        environment: ["HOOK_TOKEN=${secret}129"]
    develop: {watch: [{action: sync+exec, path: ., target: /x, exec: {command: "x --password ${secret}130", environment: {A_TOKEN: "${secret}131"}}}]}
    volumes:
      - type: volume
        source: nfs
        target: /n
  list:
    image: registry.example/a:1
    environment:
      - DB_PASSWORD=${secret}132
      - "OTHER_SECRET=${secret}133 with blanks"
      - 'QUOTED_TOKEN="${secret}134"'
    env_file: [{path: app/.env}]
    healthcheck:
      test: 'curl -H "X-Api-Key: ${secret}135" http://localhost'
    command: mysqld -p${secret}136 --user root
    annotations: {api-token: "${secret}137"}
    extra_hosts: ["a:1.2.3.4"]
    x-image_pull_secret: ${secret}138
  hidden:
    profiles: [never]
    image: "https://u:${secret}139@reg.example/x"
    environment: {PROFILE_TOKEN: ${secret}140}
    build: "https://bot:${secret}141@git.example/x.git#main"
configs:
  c:
    content: |
      db_password=${secret}142
      token: ${secret}143
secrets:
  tok: {environment: TOK}
  inline: {content: "${secret}144"}
volumes:
  nfs:
    driver_opts: {type: cifs, o: "username=u,password=${secret}145", device: "//h/s"}
END
	cat >"$t/compose.override.yaml" <<END
services:
  map:
    environment: {API_KEY: ${secret}146}
    command: !override ["agent", "--secret-key", "${secret}147"]
END
	printf 'SESSION_SECRET=%s201\nexport A_TOKEN="%s202"\nPLAIN=%s203\nMULTI="a\n%s204\n"\n# OLD_PASSWORD=%s205\n' $secret $secret $secret $secret $secret >"$t/app/.env"
	printf 'SESSION_SECRET=%s206\nDEF_TOKEN=%s207\n' $secret $secret >"$t/.env"
	cat >"$t/app/Dockerfile" <<END
# syntax=docker/dockerfile:1
ARG BASE_TOKEN=${secret}301
FROM alpine:3.20
ARG REGISTRY_TOKEN=${secret}302
ENV SERVICE_PASSWORD=${secret}303 OTHER_SECRET="${secret}304"
ENV OLD_TOKEN ${secret}305 with blank
LABEL admin.password="${secret}306"
RUN curl -u admin:${secret}307 https://example.net/tool.sh | sh
RUN export AWS_SECRET_ACCESS_KEY=${secret}308 && ./build
RUN git clone https://bot:${secret}309@git.example.net/x
RUN git clone https://${secret}310@github.com/x/y
RUN npm config set //registry.npmjs.org/:_authToken ${secret}311
RUN echo "//registry.npmjs.org/:_authToken=${secret}312" > ~/.npmrc
RUN pip install --index-url https://u:${secret}313@pypi.example/simple x
RUN echo "machine github.com login x password ${secret}314" > ~/.netrc
RUN docker login -u x -p ${secret}315 reg.example
RUN <<EOF
export DB_PASSWORD=${secret}316
curl -H 'Authorization: token ${secret}317' https://x
EOF
RUN --mount=type=secret,id=a,env=TOK wget --header="PRIVATE-TOKEN: ${secret}318" https://x --password ${secret}319
RUN sshpass -p ${secret}320 ssh root@h
RUN mysql -uroot -p${secret}321 -e x
RUN echo 'root:${secret}322' | chpasswd
RUN echo ${secret}323 | docker login --password-stdin
RUN useradd -p ${secret}324 agent
ADD https://u:${secret}325@example.net/x.tgz /x
COPY <<EOF /etc/app.conf
password = ${secret}326
EOF
COPY entry.sh /entry.sh
ENTRYPOINT ["/entry.sh", "--password", "${secret}327"]
CMD agent --client-secret '${secret}328'
HEALTHCHECK CMD curl -H "Cookie: session=${secret}329" http://localhost
ONBUILD ENV CHILD_TOKEN=${secret}330
END
	cat >"$t/app/entry.sh" <<END
#!/bin/sh
export API_TOKEN=${secret}401
API_KEY='${secret}402' \\
  agent &
curl -H "X-Api-Key: ${secret}403" https://example.net/start
docker run -e DB_PASSWORD=${secret}404 --env=TOKEN="${secret}405" -l token=${secret}406 busybox --secret ${secret}407
docker login --password ${secret}408 reg
echo "\${API_TOKEN:=${secret}409}"
: "\${DB_PASSWORD:-${secret}410}"
PASSWORD=\$(echo ${secret}411)
cat > /etc/x.json <<EOF
{"password": "${secret}412", "apiKey":"${secret}413"}
EOF
curl "https://x.example/hook?token=${secret}414"
curl -d '{"secret":"${secret}415"}' https://x.example
curl -d "password=${secret}416" https://x.example
curl --data-urlencode "client_secret=${secret}417" https://x
psql "postgresql://u:${secret}418@h/db"
PGPASSWORD=${secret}419 psql
kubectl create secret generic x --from-literal=password=${secret}420
ssh-keygen -N ${secret}421
vault kv put secret/x password=${secret}422
aws configure set aws_secret_access_key ${secret}423
openssl enc -pass pass:${secret}424
gpg --passphrase ${secret}425
[ "\$TOKEN" = "${secret}426" ]
set -- --token "${secret}427"
exec agent --token ${secret}428
END
	cat >"$t/.mcp.json" <<END
{ "mcpServers": {
  "args": { "command": "npx", "args": ["server@1.0.0", "--api-key", "${secret}501", "--token=${secret}502", "-y", "DB_PASSWORD=${secret}503"],
            "env": { "TICKETS_TOKEN": "${secret}504" } },
  "docker": { "command": "docker", "args": ["run", "-e", "API_KEY=${secret}506", "--env=X_SECRET=${secret}507", "mcp/x"] },
  "url": { "command": "npx", "args": ["x", "postgresql://u:${secret}508@h/db"] },
  "sh": { "command": "sh", "args": ["-c", "TOKEN=${secret}509 npx x"] },
  "hdr": { "command": "npx", "args": ["mcp-remote", "https://x.example/sse", "--header", "Authorization: Bearer ${secret}510"] },
  "hdr2": { "command": "npx", "args": ["mcp-remote", "https://x.example/sse", "--header", "Authorization:Bearer ${secret}511"] },
  "remote": { "url": "https://user:${secret}512@example.net/mcp?api_key=${secret}513",
              "headers": { "Authorization": "Bearer ${secret}514", "X-Api-Key": "${secret}515", "Custom": "${secret}516", "Cookie": "a=${secret}517" } },
  "path": {"url": "https://example.net/mcp/?profile=a&apiKey=${secret}518#${secret}519"},
  "oauth": {"url": "https://example.net/mcp", "oauth": {"clientId": "x", "clientSecret": "${secret}520"}, "bearer_token": "${secret}521"}
 },
 "inputs": [{"type": "promptString", "id": "k", "password": true, "default": "${secret}522"}] }
END
	cp "$t/.mcp.json" "$t/.cursor/mcp.json"
	cat >"$t/exports/inspect.json" <<END
[ { "Id": "4b5f", "Name": "/agent", "Created": "2026-11-01T00:00:00Z", "State": { "Status": "running",
     "Health": {"Status": "healthy", "Log": [{"Output": "password=${secret}601"}]} }, "Path": "agent", "Args": ["--token", "${secret}602", "--key=${secret}603"],
    "Config": { "Image": "agent", "Env": ["PATH=/bin", "API_KEY=${secret}604", "MULTI_SECRET=a\n${secret}606"],
                "Cmd": ["agent", "--password", "${secret}607"], "Entrypoint": ["sh", "-c", "TOKEN=${secret}608 x"], "Labels": { "token": "${secret}609", "com.docker.compose.environment_file": "x" },
                "Healthcheck": {"Test": ["CMD-SHELL", "curl -u a:${secret}610 http://x"]}, "OnBuild": ["ENV A_TOKEN=${secret}611"] },
    "HostConfig": { "Privileged": true, "NetworkMode": "host", "LogConfig": {"Type": "splunk", "Config": {"splunk-token": "${secret}612"}},
       "Mounts": [{"Type": "volume", "VolumeOptions": {"DriverConfig": {"Options": {"o": "password=${secret}613"}}}}] }, "Mounts": [] } ]
END
	cat >"$t/exports/image.json" <<END
[ { "Id": "sha256:4b5f", "RepoTags": ["agent:1"], "Config": {"Env": ["API_KEY=${secret}621"], "Cmd": ["x", "--password=${secret}622"]}, "History": [{"CreatedBy": "ENV TOKEN=${secret}623"}],
   "Architecture": "amd64", "Os": "linux", "RootFS": {"Type": "layers", "Layers": []} } ]
END
	cat >"$t/k8s/all.yaml" <<END
apiVersion: v1
kind: Secret
metadata:
  name: keys
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"v1","kind":"Secret","stringData":{"anything":"${secret}701"}}
stringData:
  password: ${secret}702
  anything: ${secret}703
  block: |
    first
    ${secret}704
data:
  whatever: $(printf %s "${secret}705" | base64)
---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data:
  db_password: ${secret}706
  app.yaml: |
    database:
      password: ${secret}707
      url: postgres://u:${secret}708@h/x
  app.json: '{"token": "${secret}709"}'
  app.properties: |
    spring.datasource.password=${secret}710
    api.key = ${secret}711
---
apiVersion: v1
kind: Pod
metadata:
  name: agent
  annotations:
    token: "${secret}712"
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"containers":[{"env":[{"name":"DB_PASSWORD","value":"${secret}713"}]}]}}'
    vault.hashicorp.com/agent-inject-template-x: "password=${secret}714"
spec:
  containers:
    - name: agent
      image: agent:1
      command: ["agent", "--client-secret=${secret}715", "--token", "${secret}716"]
      args:
        - --api-key
        - ${secret}717
        - --db=postgres://u:${secret}718@h/x
        - -c
        - |
          export DB_PASSWORD=${secret}719
          curl -H "Authorization: Bearer ${secret}720" http://x
      env:
        - {name: API_TOKEN, value: "${secret}721"}
        - name: OTHER_PASSWORD
          value: ${secret}722
        - value: ${secret}723
          name: REVERSED_SECRET
        - name: BLOCK_SECRET
          value: |
            ${secret}724
      livenessProbe:
        httpGet:
          path: /health?token=${secret}725
          port: 80
          httpHeaders:
            - name: Authorization
              value: Bearer ${secret}726
            - {name: X-Api-Key, value: "${secret}727"}
      lifecycle:
        postStart: {exec: {command: ["sh", "-c", "x --password ${secret}728"]}}
      volumeMounts: []
  volumes:
    - name: csi
      csi: {driver: x, volumeAttributes: {password: "${secret}729"}}
    - name: flex
      flexVolume: {driver: x, options: {secret: "${secret}730"}}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: e}
spec: {target: {template: {data: {password: "${secret}731"}}}}
---
{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "l"}, "data": {"x": "$(printf %s "${secret}732" | base64)"}, "stringData": {"y": "${secret}733"}}]}
END
	cat >"$t/.github/workflows/ci.yml" <<END
on: push
env: {GLOBAL_TOKEN: ${secret}801}
jobs:
  a:
    runs-on: ubuntu-latest
    container:
      image: x
      env: {C_PASSWORD: ${secret}802}
      credentials: {username: x, password: ${secret}803}
      options: -e TOKEN=${secret}804 --privileged
    services:
      db: {image: postgres, env: {POSTGRES_PASSWORD: "${secret}805"}}
    env:
      JOB_SECRET: ${secret}806
    steps:
      - run: |
          curl -H "Authorization: Bearer ${secret}807" https://x | sh
          docker run --privileged -e API_KEY=${secret}808 x
        env:
          STEP_TOKEN: ${secret}809
      - uses: a/b@v1
        with:
          token: ${secret}810
          password: ${secret}811
END
	cat >"$t/.devcontainer/devcontainer.json" <<END
{ // comment
 "image": "x", "remoteEnv": {"API_TOKEN": "${secret}821"}, "containerEnv": {"DB_PASSWORD": "${secret}822"},
 "runArgs": ["-e", "TOKEN=${secret}823", "--env=KEY_SECRET=${secret}824", "--privileged"],
 "postCreateCommand": "curl -u a:${secret}825 http://x | sh", "build": {"args": {"NPM_TOKEN": "${secret}826"}, "dockerfile": "../app/Dockerfile"},
 "customizations": {"vscode": {"settings": {"a.apiKey": "${secret}827"}}}, "secrets": {"X": {"description": "x"}} }
END
	cat >"$t/.claude/settings.json" <<END
{"env": {"ANTHROPIC_API_KEY": "${secret}831", "ANTHROPIC_AUTH_TOKEN": "${secret}832"}, "permissions": {"allow": ["Bash(curl -H 'Authorization: Bearer ${secret}833' *)", "Bash(mysql --password=${secret}834:*)"]},
 "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "x --token ${secret}835"}]}]}, "apiKeyHelper": "echo ${secret}836"}
END
	cat >"$t/.codex/config.toml" <<END
sandbox_mode = "danger-full-access"
[mcp_servers.x]
command = "npx"
args = ["x", "--api-key", "${secret}841"]
env = { "X_TOKEN" = "${secret}842" }
[mcp_servers.y]
url = "https://u:${secret}843@x.example"
bearer_token = "${secret}844"
http_headers = { "X-Api-Key" = "${secret}845" }
[shell_environment_policy]
set = { A_PASSWORD = "${secret}846" }
[model_providers.z]
experimental_bearer_token = "${secret}847"
END
	cat >"$t/systemd/agent.service" <<END
[Service]
Environment=API_TOKEN=${secret}851 "DB_PASSWORD=${secret}852"
ExecStart=/usr/bin/docker run -e TOKEN=${secret}853 x --password ${secret}854
ExecStartPre=/bin/sh -c 'curl -u a:${secret}855 http://x'
END
	cat >"$t/chart/Chart.yaml" <<END
apiVersion: v2
name: c
version: 1.0.0
END
	cat >"$t/chart/values.yaml" <<END
db: {password: ${secret}861}
auth:
  adminPassword: ${secret}862
  existing: ""
env:
  - name: API_TOKEN
    value: ${secret}863
END
	cat >"$t/chart/templates/d.yaml" <<END
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec: {template: {spec: {containers: [{name: a, image: x, env: [{name: DB_PASSWORD, value: {{ .Values.x | default "${secret}864" }}}]}]}}}
END
	cat >"$t/launch.sh" <<END
#!/bin/bash
bwrap --setenv API_TOKEN ${secret}871 --bind / / agent --token ${secret}872
podman run --secret x,type=env --env-file a -e "DB_PASSWORD=${secret}873" x
systemd-run -E TOKEN=${secret}874 -p Environment=B_TOKEN=${secret}875 agent
firejail --env=TOKEN=${secret}876 agent
ssh -o ProxyCommand='nc -u a:${secret}877' x
END
	printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt%s881\n-----END OPENSSH PRIVATE KEY-----\n' $secret >"$t/app/id_rsa"
	cat >"$t/k8s/key.yaml" <<END
apiVersion: v1
kind: Pod
metadata: {name: keypod}
spec:
  containers:
    - name: a
      image: x
      args:
        - |
          -----BEGIN RSA PRIVATE KEY-----
          short${secret}891
          -----END RSA PRIVATE KEY-----
      env:
        - name: CERT
          value: |
            -----BEGIN PRIVATE KEY-----
            x${secret}892
            -----END PRIVATE KEY-----
END
}

# FILE read as KIND, as `parse` prints it.
parse_all() {
	while read -r kind file; do
		exits 0 parse "$kind" "$1/$file"
		cat "$scratch/out" "$scratch/err" >>"$scratch/all"
	done <<END
yaml compose.yaml
compose compose.yaml
yaml k8s/all.yaml
yaml k8s/key.yaml
yaml chart/values.yaml
yaml .github/workflows/ci.yml
dockerfile app/Dockerfile
env app/.env
json .mcp.json
json exports/inspect.json
json .claude/settings.json
toml .codex/config.toml
END
}

no_secret_is_printed() {
	plant "$scratch/tree"
	print_everything "$scratch/tree"
	parse_all "$scratch/tree"
	grep -ohE "${secret}[0-9]+|$(printf '%s' "$secret" | base64 | cut -c1-20)" "$scratch/all" |
		sort | uniq -c >"$scratch/seen" || :
	[ ! -s "$scratch/seen" ] && return 0
	cat "$scratch/seen"
	return 1
}

names_of_secrets_are_printed() {
	plant "$scratch/tree"
	exits 0 map -f tsv --filter field=credentials "$scratch/tree"
	for name in API_KEY DB_PASSWORD SERVICE_PASSWORD TICKETS_TOKEN API_TOKEN; do prints $name; done
}

for test in no_secret_is_printed names_of_secrets_are_printed; do
	check $test
done
[ $failures -eq 0 ]
