# What a reader of the documentation has at hand, for the scripts of its pages: npm and npx with the packages that are installed, curl
# that fails where the page does not say so, a server that runs beside.
set -eo pipefail

server=
stop() {
  [ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" || true; }
  server=
}
trap stop EXIT

# The reader ends a server before starting it again.
start() {
  stop
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
    *) node dist/cli.js "$@" ;;
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
