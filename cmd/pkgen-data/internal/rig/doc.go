// Package rig serves tests of commands an account, and a package with a lock.
package rig
