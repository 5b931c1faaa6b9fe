// Package target finds what a command of pkgen-data works on: the account that the
// environment names, its containers, and the locks of packages.
package target
