// Package serve is pkgen-emulator: an account over HTTP, and the files that it keeps.
package serve
