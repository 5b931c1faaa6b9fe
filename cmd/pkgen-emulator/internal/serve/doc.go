// Package serve is pkgen-emulator: it serves an account over HTTP, and keeps its files.
package serve
