// Package explorer is the page at /_explorer/, on which people look at an account of
// the emulator and change it: databases, documents, physical partitions, queries, the
// journal, faults. It serves the page, which is part of the program, and a JSON API for
// it. It knows how an account is stored and not how its REST protocol is served: for
// documents and queries it sends requests to the account, as a client would.
//
// The page is for people at the same machine. Package explorer refuses requests that
// come from another machine, from another site, or without the token in the page.
package explorer
