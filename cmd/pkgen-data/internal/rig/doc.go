// Package rig provides an account, and a package with a lock, to tests of commands.
package rig
