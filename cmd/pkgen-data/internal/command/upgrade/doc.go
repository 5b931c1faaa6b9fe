// Package upgrade is pkgen-data upgrade: documents of earlier releases.
package upgrade
