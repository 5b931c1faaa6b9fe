// Package sourcetest makes units of source without the go command, for tests.
package sourcetest
