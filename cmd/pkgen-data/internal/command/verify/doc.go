// Package verify is pkgen-data verify: stored documents, compared with the lock.
package verify
