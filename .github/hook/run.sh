#!/usr/bin/env bash
# What .pre-commit-hooks.yaml runs at the root of the user's repository:
#
#   run.sh check|generate [FOLDER]
#
# The folder is that of the module. The exit code is 0 if the commit may go on.
set -euo pipefail
cd -- "${2:-.}"

case $1 in
check)
	exec go tool pkgen -check ./...
	;;
generate)
	code=0
	go tool pkgen -diff ./... >/dev/null || code=$?
	if [ "$code" -eq 1 ]; then
		go tool pkgen ./... || exit
		echo 'pkgen has written files: stage them, and commit again' >&2
	fi
	[ "$code" -eq 0 ] || exit "$code"
	# pre-commit takes no notice of untracked files.
	untracked=$(git ls-files --others --exclude-standard -- '*_cosmos.go' '*pkgen.lock')
	if [ -n "$untracked" ]; then
		printf '%s\npkgen has written these files, which are untracked: stage them, and commit again\n' "$untracked" >&2
		exit 1
	fi
	;;
esac
