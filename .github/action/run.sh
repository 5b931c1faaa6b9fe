#!/usr/bin/env bash
# Runs pkgen for action.yml. The inputs come from environment variables, and are passed on as
# arguments that no shell evaluates. The exit code is that of pkgen.
set -euo pipefail

# refuse prints an error in GitHub's format, and exits with the code for a wrong command line.
refuse() {
	local text=${1//%/%25}
	text=${text//$'\r'/%0D}
	printf '::error::%s\n' "${text//$'\n'/%0A}"
	exit 2
}

command=${PKGEN_COMMAND:-check}
version=${PKGEN_VERSION-}
cd -- "${PKGEN_DIRECTORY:-.}" 2>/dev/null || refuse "there is no folder ${PKGEN_DIRECTORY-}: set working-directory to the folder of the module"

case $command in
check) run=(-check -format github) ;;
vet) run=(vet -format github) ;;
verify | analyze | rulog | usage) run=("$command" -format github) ;;
doctor) run=(doctor) ;; # its report names no lines of files
*) refuse "pkgen has no command \"$command\" for workflows: set command to check, vet, verify, analyze, rulog, usage or doctor" ;;
esac

# macOS has bash 3.2, which has no mapfile and treats an empty array as an unset variable.
while IFS= read -r line; do
	line=${line%$'\r'}
	[ -z "$line" ] || run+=("$line")
done <<<"${PKGEN_ARGS-}"
read -r -d '' -a packages <<<"${PKGEN_PACKAGES-./...}" || true # it ends without a NUL
run+=(-- ${packages[@]+"${packages[@]}"})

if [ -z "$version" ]; then
	go tool -n pkgen >/dev/null 2>&1 ||
		refuse "go.mod has no tool pkgen: set version, or run go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen, and commit go.mod and go.sum"
	exec go tool pkgen "${run[@]}"
fi

[[ $version =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]] || refuse "\"$version\" is not a version: set version to one such as v1.2.3"
programs=(pkgen)
case $command in verify | analyze | rulog | usage | doctor) programs+=(pkgen-data) ;; esac
bin=$(mktemp -d)
for program in "${programs[@]}"; do
	GOBIN=$bin go install "github.com/cosmos-pkgen/pkgen/cmd/$program@$version" ||
		refuse "$program $version cannot be installed: see the log for the reason"
done
exec "$bin/pkgen" "${run[@]}"
