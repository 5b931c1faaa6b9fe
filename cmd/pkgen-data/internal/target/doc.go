// Package target finds what a command of pkgen-data works on: the account in the environment, its
// containers, and the locks of packages.
package target
