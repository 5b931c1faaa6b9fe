// Package verify compares what a container stores with what pkgen.lock says: whether
// documents lie under the keys that their properties make, whether their properties
// have the types that Go writes, and whether the container has the settings that its
// types need.
//
// It judges documents one by one, by package layout, and those of types with unique
// properties together with the reservations of their values. It prints nothing, and
// writes only what mends reservations and properties for indexes, if that is asked for.
package verify
