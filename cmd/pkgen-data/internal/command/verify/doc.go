// Package verify is pkgen-data verify: it compares stored documents with the lock.
package verify
