#!/bin/sh
# Installs what the tests need, then runs every check and every test.
# The last line is `N passed, N failed`; a failed check counts as a failed test.
set -u
cd "$(dirname "$0")"

report="${TEST_REPORT:-coverage/test-report.json}"
failed_checks=0
vitest=0

step() {
  echo
  echo "== $1"
}

check() {
  step "$1"
  shift
  if ! "$@"; then
    echo "FAILED: $*" >&2
    failed_checks=$((failed_checks + 1))
  fi
}

finish() {
  echo
  node scripts/count-tests.mjs "$report" "$failed_checks" "$vitest"
  exit $?
}

# What Debian has and npm has not: a real Prometheus that scrapes the service, what LiteLLM's callback
# needs of Python, and a real browser for the inspector. Tests of what is not there are skipped, by name.
missing_packages() {
  command -v prometheus >/dev/null 2>&1 || echo prometheus
  /usr/bin/python3 -c 'import httpx' >/dev/null 2>&1 || echo python3-httpx
  command -v chromium >/dev/null 2>&1 || printf '%s\n' chromium fonts-dejavu-core
}

install_packages() {
  missing="$(missing_packages | tr '\n' ' ')"
  if [ -z "$missing" ]; then
    echo 'all there'
    return 0
  fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "NOTE: not root, or no apt-get: the tests of $missing are skipped." >&2
    return 0
  fi
  # A package would start a service of its own; policy-rc.d is how Debian is told not to.
  policy=/usr/sbin/policy-rc.d
  made_policy=no
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && made_policy=yes
  fi
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  installed=0
  # shellcheck disable=SC2086 # names of packages, of which there may be several
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } \
    </dev/null >/dev/null || installed=$?
  [ "$made_policy" = no ] || rm -f "$policy"
  if [ "$installed" != 0 ]; then
    echo "NOTE: could not be installed: $missing; their tests are skipped." >&2
  fi
  return 0
}

# The better of the embedded models is not part of an install; its tests are skipped, by name, without it.
install_minilm() {
  npm run --silent setup:minilm </dev/null ||
    echo 'NOTE: the model minilm could not be made; its tests are skipped.' >&2
  return 0
}

command -v node >/dev/null 2>&1 || {
  echo 'test.sh: Node.js is missing; install version 20.19 or newer.' >&2
  echo '0 passed, 1 failed'
  exit 1
}

rm -f "$report"
mkdir -p "$(dirname "$report")"

if [ "${TEST_SKIP_INSTALL:-}" = '' ]; then
  check 'install' npm ci --no-audit --no-fund
  [ "$failed_checks" = 0 ] || finish
  step 'Debian packages'
  install_packages
  step 'minilm'
  install_minilm
  step 'helm'
  node scripts/install-helm.mjs || echo 'NOTE: helm could not be installed; its tests are skipped.' >&2
fi

if [ "${TEST_ONLY:-}" = '' ]; then
  check 'types' npm run --silent typecheck
  check 'lint' npm run --silent lint
  check 'dead code' npm run --silent knip
  check 'licences of what is installed with the service' npm run --silent licences
  check 'known vulnerabilities of it' npm run --silent advisories
  check 'openapi.yaml' npm run --silent openapi:check
  check 'generated documentation' npm run --silent docs:check
fi

step "tests on Node.js $(node --version)"
npx --no-install vitest run --reporter=default --reporter=json --outputFile.json="$report" </dev/null ||
  vitest=$?
[ "$vitest" = 0 ] || echo 'vitest failed' >&2

step 'tests on real conversations'
if [ -n "${PRECIS_DATA:-}" ] && [ "${TEST_ONLY:-}" = '' ]; then
  check 'on the folder that PRECIS_DATA names' npm run --silent test:data
else
  echo 'NOT RUN: they need a folder of conversations, named by PRECIS_DATA, that is not in the repository.'
fi
finish
