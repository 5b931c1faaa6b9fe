#!/usr/bin/env bash
# Compares pkgen-emulator with @vercel/cosmosdb-server, another server of the SQL API
# that runs without Docker: requests per second over plain HTTP, at eight connections.
# Needs Node with npm, and the network. Usage: bench/servers.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-10}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT

go build -o "$work/pkgen-emulator" ./cmd/pkgen-emulator
npm install --prefix "$work" --no-audit --no-fund --loglevel=error @vercel/cosmosdb-server@1.0.1 >/dev/null
"$work/pkgen-emulator" -http -addr localhost:18091 >"$work/pkgen.log" 2>&1 &
node "$work/node_modules/.bin/cosmosdb-server" --no-ssl --host localhost -p 18092 >"$work/other.log" 2>&1 &
for port in 18091 18092; do
	curl -s -o "$work/answer" --retry 50 --retry-delay 1 --retry-connrefused "http://localhost:$port/"
done
go test ./bench -run '^$' -bench Servers -benchtime "${rounds}x" -servers http://localhost:18091,http://localhost:18092
