# What a reader of the documentation has at hand, for the scripts of its pages: npm and npx with the packages that are installed, curl
# that fails where the page does not say so, a server that runs beside.
set -eo pipefail

server=
stop() {
  case "$server" in
    '') ;;
    hosted) ask stop >/dev/null ;;
    *) kill "$server" 2>/dev/null; wait "$server" || true ;;
  esac
  server=
}
trap stop EXIT

# Whether $HOST_SOCKET runs it (program-host.mjs). Code of the site's own stays in the process that has loaded it, workers are processes
# of the program; what speaks over standard input, and what writes beside a server, is a process as it is for the reader.
hosted() {
  [ -n "$HOST_SOCKET" ] && [ -z "${EXTENSIONS_DIR:-}${WORKERS:-}" ] || return
  case "$1" in
    mcp) return 1 ;;
    serve | check | diff | doctor | explain | openapi | types) ;;
    *) [ -z "$server" ] ;;
  esac
}

# Asks the host: `ask run …`; prints the exit code.
ask() {
  command curl -sS --max-time 120 --unix-socket "$HOST_SOCKET" "http://host/$1?folder=${2:-}"
}

# Runs a command, or a server, of the host, with the environment as it is here.
in_host() {
  local what="$1" folder code
  shift
  folder=$(mktemp -d "$PWD/.asked-XXXXXX")
  env -0 >"$folder/env"
  : >"$folder/out" >"$folder/err" >"$folder/args"
  [ $# -eq 0 ] || printf '%s\0' "$@" >"$folder/args"
  code=$(ask "$what" "$folder")
  cat "$folder/out"
  cat "$folder/err" >&2
  rm -r "$folder"
  return "$code"
}

# The reader ends a server before starting it again.
start() {
  stop
  if hosted serve; then
    server=hosted
    in_host serve "$@" || { server=; echo 'The server did not start.' >&2; return 1; }
    command curl -sf "http://127.0.0.1:$PORT/readyz" >/dev/null
    return
  fi
  node dist/cli.js serve "$@" &
  server=$!
  until command curl -sf "http://127.0.0.1:$PORT/readyz" >/dev/null; do
    kill -0 "$server" 2>/dev/null || { echo 'The server did not start.' >&2; return 1; }
    sleep 0.1
  done
}

typecase() {
  case "$1" in
    serve) shift; start "$@" ;;
    *) if hosted "$1"; then in_host run "$@"; else node dist/cli.js "$@"; fi ;;
  esac
}

npm() {
  case "$*" in
    ci | install*) ;;
    start*) shift; [ "$1" != -- ] || shift; start "$@" ;;
    'run cms -- '*) shift 3; typecase "$@" ;;
    *) echo "Nothing stands for npm $*." >&2; return 64 ;;
  esac
}

npx() {
  [ "$1" = typecase ] || { echo "Nothing stands for npx $*." >&2; return 64; }
  shift
  typecase "$@"
}

# Writes `<line of the page> <status>` to $STATUSES.
curl() {
  local printed="$STATUSES.$BASHPID" line="${BASH_LINENO[0]}" code=0
  command curl -sS -w '%{stderr}%{http_code}\n' "$@" 2>"$printed" || code=$?
  sed "s/^/$line /" "$printed" >>"$STATUSES"
  return "$code"
}
