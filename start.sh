#!/bin/sh
# Builds and starts Precis from a fresh clone, in the foreground.
#   ./start.sh         serves, and prints a curl to try
#   ./start.sh --demo  compacts the bundled example on a free port, prints the report, and stops
set -eu
cd "$(dirname "$0")"

fail() {
  echo "start.sh: $1" >&2
  exit 1
}

case "${1:-}" in
  '' | --demo) ;;
  *) fail "unknown argument $1; there is only --demo" ;;
esac

command -v node >/dev/null 2>&1 || fail 'Node.js is missing; install version 20.19 or newer.'
command -v npm >/dev/null 2>&1 || fail 'npm is missing; it comes with Node.js.'
node -e '
  const [major, minor] = process.versions.node.split(".").map(Number)
  process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)
' || fail "Node.js $(node --version) is too old; install version 20.19 or newer."

# Variables may stand in .env, as in .env.example; those of the environment win.
variables=''
[ ! -f .env ] || variables='--env-file=.env'

# Another Precis there would be announced as this one.
# shellcheck disable=SC2086 # none, or one word
[ "${1:-}" = --demo ] || taken="$(node $variables -e '
  const { PRECIS_HOST: host, PRECIS_PORT } = process.env
  const port = Number(PRECIS_PORT || 8080)
  require("node:net")
    .createServer()
    .once("error", ({ code }) => {
      if (code === "EADDRINUSE") console.log(port)
      process.exit(code === "EADDRINUSE" ? 1 : 0)
    })
    .listen(port, host || "127.0.0.1", () => process.exit(0))
')" || fail "port $taken is taken; for another one: PRECIS_PORT=8090 ./start.sh"

# What is there already, and newer than what it is made of, is not made again.
if [ ! -f node_modules/.package-lock.json ] ||
  [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm run setup
elif [ ! -f dist/server.js ] || [ ! -f dist/ui/index.html ] ||
  [ -n "$(find src ui scripts/copy-assets.mjs scripts/build-ui.mjs examples/coding-session.json tsconfig.json tsconfig.build.json package.json -newer dist/server.js -print -quit)" ]; then
  npm run --silent build
fi

if [ "${1:-}" = --demo ]; then
  exec node --import tsx scripts/demo.ts
fi

# Prints the curl when the service is ready, and ends by itself.
# shellcheck disable=SC2086
node $variables --import tsx scripts/announce.ts &
# What `npm start` runs, without npm in between, which keeps signals to itself.
# shellcheck disable=SC2086
exec node $variables --enable-source-maps dist/server.js
