// Package placing determines the containers of a type with several: the names that its
// container template makes, the periods of windows, and the containers of a database. It
// does not read documents.
package placing
