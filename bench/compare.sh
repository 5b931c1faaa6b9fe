#!/usr/bin/env bash
# Times whole processes of pkgen beside other generators, on the same package
# that imports azcosmos and has been generated: warm, after an edit, and with an
# empty build cache. Prints medians of RUNS runs (7) in milliseconds, ratios to
# "go list" in the same state, and the largest resident set. Needs the network for
# the tools, and GNU time.
# Usage: bench/compare.sh [warm|edited|cold|many]...
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
runs=${RUNS:-7}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export GOBIN=$work/bin
export GOFLAGS=-mod=mod

go install ./cmd/pkgen
go install golang.org/x/tools/cmd/stringer@v0.47.0
go install github.com/matryer/moq@v0.8.1
go install github.com/tinylib/msgp@v1.6.5
PATH=$GOBIN:$PATH

# package FOLDER TYPES writes a package with that many document types, an
# enumeration for stringer and an interface for moq.
package() {
	mkdir -p "$1"
	{
		printf 'package docs\n\nimport (\n\t"context"\n\t"time"\n\n\t"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"\n)\n\n'
		printf 'type Status int\n\nconst (\n\tNew Status = iota\n\tDone\n)\n\n'
		printf 'type Store interface {\n\tOpen(ctx context.Context, c *azcosmos.ContainerClient) error\n}\n'
		for ((i = 0; i < $2; i++)); do
			printf '\ntype Doc%d struct {\n\tID string `json:"id"`\n\tAt time.Time `json:"at" cosmos:"pk,concat,format=day"`\n\tDevice string `json:"device" cosmos:"pk,concat"`\n\tSpeed int `json:"speed"`\n}\n' "$i"
		done
	} >"$1/docs.go"
}

# corpus sets up the module.
corpus() {
	mkdir "$work/module"
	cd "$work/module"
	sed 's|^module .*|module example.com/corpus|' "$root/go.mod" >go.mod
	printf '\nrequire github.com/cosmos-pkgen/pkgen v0.0.0\n\nreplace github.com/cosmos-pkgen/pkgen => %s\n' "$root" >>go.mod
	cp "$root/go.sum" .
	for n in 1 50 500; do package "types$n" "$n"; done
	for ((p = 0; p < 100; p++)); do package "many/p$p" 1; done
}

# edit changes a source file, so that nothing known of it holds.
edit() { printf '\n// Edit %s.\n' "$RANDOM$RANDOM" >>"$1/docs.go"; }

# median reads numbers, one a line.
median() { sort -n | sed -n "$(((runs + 1) / 2))p"; }

# measure STATE FOLDER COMMAND... prints the median time in milliseconds, and the
# largest resident set in KiB.
measure() {
	local state=$1 folder=$2 start
	shift 2
	for ((r = 0; r < runs; r++)); do
		case $state in
		edited) edit "$folder" ;;
		cold) GOCACHE=$(mktemp -d "$work/cache.XXXX") PKGEN_CACHE=off && export GOCACHE PKGEN_CACHE ;;
		esac
		start=$(date +%s%N)
		(cd "$folder" && command time -a -o "$work/memory" -f %M "$@" >"$work/log" 2>&1) || { cat "$work/log" >&2 && exit 1; }
		echo $((($(date +%s%N) - start) / 100000)) >>"$work/times"
		if [[ $state == cold ]]; then rm -rf "$GOCACHE" && unset GOCACHE PKGEN_CACHE; fi
	done
	echo "$(median <"$work/times") $(sort -n "$work/memory" | tail -n 1)"
	rm "$work/times" "$work/memory"
}

# row STATE FOLDER NAME COMMAND... prints a line of the table. "go list" comes
# first, and sets what the others are compared with.
row() {
	local state=$1 folder=$2 name=$3 tenths memory
	shift 3
	read -r tenths memory < <(measure "$state" "$folder" "$@")
	if [[ $name == "go list" ]]; then base=$tenths; fi
	awk -v s="$state" -v f="$folder" -v n="$name" -v t="$tenths" -v b="$base" -v m="$memory" \
		'BEGIN { printf "| %s | %s | %s | %.0f ms | %.2f | %.0f MiB |\n", s, f, n, t / 10, t / b, m / 1024 }'
}

# compare STATE FOLDER runs all tools on a package. stringer and moq have the go
# command compile what the package imports, when the build cache lacks it.
compare() {
	row "$1" "$2" "go list" go list .
	row "$1" "$2" pkgen pkgen .
	row "$1" "$2" stringer stringer -type=Status .
	row "$1" "$2" moq moq -out store_moq.go . Store
	row "$1" "$2" msgp msgp -file docs.go -tests=false
}

corpus
pkgen ./... # so that all states begin with what has been generated
sleep 3     # the go command keeps no index of files younger than two seconds
printf '| state | package | command | median | to go list | peak memory |\n|---|---|---|---|---|---|\n'
for state in "${@:-warm}"; do
	case $state in
	warm)
		compare warm types1
		for n in 50 500; do
			row warm "types$n" "go list" go list .
			row warm "types$n" pkgen pkgen .
		done
		;;
	many)
		row warm many "go list" go list ./...
		row warm many pkgen pkgen ./...
		;;
	edited | cold) compare "$state" types1 ;;
	*) echo "$0: no state $state: warm, edited, cold or many" >&2 && exit 2 ;;
	esac
done
