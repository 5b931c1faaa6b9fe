#!/usr/bin/env bash
# Runs pkgen for action.yml, with the inputs that the environment has. Each input is
# passed on as arguments, and no shell reads it. The exit code is that of pkgen.
set -euo pipefail

# refuse prints an error as GitHub shows it, and ends with the code of a wrong command line.
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
doctor) run=(doctor) ;; # which prints no lines of files
*) refuse "pkgen has no command \"$command\" for workflows: set command to check, vet, verify, analyze, rulog, usage or doctor" ;;
esac

# The bash of macOS is 3.2, which has no mapfile, and takes an empty array for an unset variable.
while IFS= read -r line; do
	line=${line%$'\r'}
	[ -z "$line" ] || run+=("$line")
done <<<"${PKGEN_ARGS-}"
read -r -d '' -a packages <<<"${PKGEN_PACKAGES-./...}" || true # it ends without a NUL
run+=(-- ${packages[@]+"${packages[@]}"})

if [ -z "$version" ]; then
	go tool -n pkgen >/dev/null 2>&1 ||
		refuse "go.mod has no tool pkgen: set version, or run go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen, and commit what changes"
	exec go tool pkgen "${run[@]}"
fi

[[ $version =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]] || refuse "\"$version\" is not a version: set version to one such as v1.2.3"
programs=(pkgen)
case $command in verify | analyze | rulog | usage | doctor) programs+=(pkgen-data) ;; esac
bin=$(mktemp -d)
for program in "${programs[@]}"; do
	GOBIN=$bin go install "github.com/cosmos-pkgen/pkgen/cmd/$program@$version" ||
		refuse "$program $version cannot be installed: the log says why"
done
exec "$bin/pkgen" "${run[@]}"
