// Package cli has what the programs of pkgen have in common: commands with flags and help,
// exit codes, output, progress on terminals, and the version of the module.
package cli
