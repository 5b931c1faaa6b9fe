#!/usr/bin/env bash
# Runs the checks of Microsoft's SDKs against "pkgen-emulator":
#
#   emulator/interop/run.sh javascript|python|java|rust|gate|all [part of a name]
#
# The gate runs the first three, since the SDK for Rust compiles for minutes. It
# prints the checks that fail, and "N of N checks passed" for each SDK. Without
# a part of a name it writes what passed into the table of docs/interop.md. An SDK
# is a folder with a program "run", which gets the environment below.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-} in
gate) languages='javascript python java' ;;
all) languages='javascript python java rust' ;;
javascript | python | java | rust) languages=$1 ;;
*)
	sed -n '2,9s/^# \{0,1\}//p' emulator/interop/run.sh >&2
	exit 2
	;;
esac
part=${2:-}

work=$(mktemp -d)
emulators=()
cleanup() {
	for process in "${emulators[@]}"; do
		kill "$process" 2>/dev/null || true
		wait "$process" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap cleanup EXIT

# start starts an emulator on a free port, and leaves its connection string in
# $connection.
start() {
	local name=$1
	shift
	: >"$work/$name.out"
	"$work/pkgen-emulator" -addr 127.0.0.1:0 -cert "$work/$name.pem" "$@" >"$work/$name.out" 2>"$work/$name.err" &
	emulators+=($!)
	for _ in $(seq 100); do
		connection=$(sed -n 's/^COSMOS_CONNECTION_STRING=//p' "$work/$name.out")
		[ -z "$connection" ] || return 0
		kill -0 "${emulators[-1]}" 2>/dev/null || break
		sleep 0.1
	done
	printf 'the emulator does not start:\n' >&2
	cat "$work/$name.out" "$work/$name.err" >&2
	return 1
}

mkdir "$work/keys" "$work/results"
export PKGEN=$work/pkgen
export INTEROP_KEYS=$work/keys                                 # key functions, as pkgen prints them
export INTEROP_RESULTS=$work/results                           # where LANGUAGE.jsonl is written
export INTEROP_PROCESSOR=$work/processor                       # a process of pkgen's change feed processor
export INTEROP_SAMPLES=$PWD/emulator/interop/keys/samples.json # documents without keys
export INTEROP_CERTIFICATE=$work/emulator.pem                  # of the emulator without -http
go build -o "$work" ./cmd/pkgen ./cmd/pkgen-emulator
go build -o "$work/keys-program" ./emulator/interop/keys
go build -o "$INTEROP_PROCESSOR" ./emulator/interop/processor
go build -o "$work/table" ./emulator/interop/table

start throttled -ru 400 -http
export COSMOS_THROTTLED_CONNECTION_STRING=$connection
start versions -partitions 4 -all-versions 1h -http
export COSMOS_VERSIONS_CONNECTION_STRING=$connection
start regions -regions "West Europe,North Europe" -http
export COSMOS_REGIONS_CONNECTION_STRING=$connection
start write-regions -regions "West Europe,North Europe" -multi-write -http
export COSMOS_WRITE_REGIONS_CONNECTION_STRING=$connection
start emulator -partitions 4
export COSMOS_CONNECTION_STRING=$connection
export SSL_CERT_FILE=$INTEROP_CERTIFICATE NODE_EXTRA_CA_CERTS=$INTEROP_CERTIFICATE REQUESTS_CA_BUNDLE=$INTEROP_CERTIFICATE

documents=./emulator/interop/keys/document
"$PKGEN" keys -lang python -type Measurement $documents >"$work/keys/measurement_key.py"
"$PKGEN" keys -lang python -type Visit $documents >"$work/keys/visit_key.py"
"$PKGEN" keys -lang javascript -type Measurement $documents >"$work/keys/measurement_key.mjs"
"$PKGEN" keys -lang javascript -type Visit $documents >"$work/keys/visit_key.mjs"
"$PKGEN" keys -lang java -type Measurement $documents >"$work/keys/MeasurementPartitionKey.java"
"$PKGEN" keys -lang java -type Visit $documents >"$work/keys/VisitPartitionKey.java"
"$work/keys-program" write

failed=
for language in $languages; do
	printf '%s:\n' "$language"
	# The SDKs come from their registries, whose certificates are not the emulator's.
	if ! env -u SSL_CERT_FILE -u REQUESTS_CA_BUNDLE "emulator/interop/$language/run" ${part:+"$part"} >"$work/log" 2>&1; then
		failed+=" $language"
	fi
	grep -v '^ok ' "$work/log" || true
	# pkgen keys prints no Rust, so nothing that the SDK for Rust wrote is under such keys.
	if [ -z "$part" ] && [ "$language" != rust ] && [[ $failed != *$language ]] && ! "$work/keys-program" read "$language"; then
		failed+=" $language"
	fi
done
if [ -n "$failed" ]; then
	printf 'checks fail:%s\n' "$failed" >&2
	exit 1
fi
if [ -z "$part" ]; then
	"$work/table" "$work/results"
fi
