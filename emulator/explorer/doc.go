// Package explorer serves the page at /_explorer/, on which people view and change an account
// of the emulator: databases, documents, physical partitions, queries, the journal, faults.
// The page is part of the program, and uses a JSON API of this package. The package reads the
// store of the account directly, but does not depend on the server of its REST protocol: for
// documents and queries it sends requests to the account, as a client would.
//
// The page is for people at the same machine. Package explorer refuses requests that come from
// another machine, from another site, or without the token in the page.
package explorer
