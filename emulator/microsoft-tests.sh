#!/usr/bin/env bash
# Runs the emulator tests of Microsoft's azcosmos, unmodified, from the module
# that go.mod names, against "pkgen-emulator", and prints how many pass. It fails
# below the given number, or 42. It needs the ports 8081 and 8903, which are in
# the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

least=${1:-42}
work=$(mktemp -d)
emulator=
cleanup() {
	if [ -n "$emulator" ]; then
		kill "$emulator" 2>/dev/null || true
		wait "$emulator" 2>/dev/null || true
	fi
	chmod -R u+w "$work" && rm -rf "$work"
}
trap cleanup EXIT

# A copy, because the tests need what the module's own go.sum names, and a
# folder in the module cache cannot be the main module.
go mod download github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos
cp -r "$(go list -m -f '{{.Dir}}' github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos)" "$work/azcosmos"
chmod -R u+w "$work/azcosmos"
(cd "$work/azcosmos" && GOWORK=off GOFLAGS=-mod=mod go test -c -o "$work/azcosmos.test" .)
tests=$(cd "$work/azcosmos" && sed -n 's/^func \(Test[A-Za-z0-9_]*\)(t \*testing\.T).*/\1/p' emulator_*_test.go)
count=$(wc -w <<<"$tests")

go build -o "$work/pkgen-emulator" ./cmd/pkgen-emulator
"$work/pkgen-emulator" -addr localhost:8081 -compute-gateway localhost:8903 \
	-cert "$work/emulator.pem" >"$work/emulator.out" 2>"$work/emulator.err" &
emulator=$!
for _ in $(seq 100); do
	grep -qs COSMOS_CONNECTION_STRING "$work/emulator.out" && break
	kill -0 "$emulator" 2>/dev/null || { cat "$work/emulator.err" >&2; emulator=; exit 1; }
	sleep 0.1
done

(cd "$work/azcosmos" && EMULATOR=1 SSL_CERT_FILE="$work/emulator.pem" timeout 300 \
	"$work/azcosmos.test" -test.count=1 -test.v -test.run "^(${tests//$'\n'/|})\$") >"$work/log" 2>&1 || true
passed=$(grep -c '^--- PASS: Test' "$work/log" || true)
if [ "$passed" -lt "$count" ]; then
	awk '/^=== RUN +Test[^\/]*$/ { lines = "" }
	     { lines = lines $0 "\n" }
	     /^--- (FAIL|SKIP)|^panic:/ { printf "%s", lines }' "$work/log"
fi
failed=$(sed -n 's/^--- FAIL: \(Test[A-Za-z0-9_]*\) .*/\1/p' "$work/log")
printf 'azcosmos emulator tests: %d of %d pass; failed: %s\n' "$passed" "$count" "${failed:-none}"
[ "$passed" -ge "$least" ]
