// Package upgrade is pkgen-data upgrade: it upgrades documents of earlier releases.
package upgrade
