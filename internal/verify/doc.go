// Package verify compares the contents of a container with pkgen.lock: whether documents are stored
// under the keys that their properties make, whether their properties have the types that Go
// writes, and whether the container has the settings that its types need.
//
// It checks documents one by one, by package layout, and documents with unique properties together
// with the reservations of their values. It prints nothing. It writes only to mend reservations and
// properties for indexes, if the caller requests that.
package verify
