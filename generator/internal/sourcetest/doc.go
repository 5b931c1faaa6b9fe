// Package sourcetest makes units from source without the go command, for tests.
package sourcetest
