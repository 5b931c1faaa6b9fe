// Package rig serves tests of commands an account, beside a package with a lock.
package rig
