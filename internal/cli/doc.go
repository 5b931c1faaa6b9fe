// Package cli is shared by the programs of pkgen: commands with flags and help, exit codes, output,
// progress on terminals, and the version of the module.
package cli
