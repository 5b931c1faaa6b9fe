// Package generate is pkgen without a subcommand: it writes generated code, or compares it.
package generate
