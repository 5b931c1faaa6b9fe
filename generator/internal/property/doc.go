// Package property says how queries and patches refer to the JSON properties of a
// document: the name, the pointer and the kind of each.
//
// It does not know keys, containers, or which properties a patch may not change;
// package model does.
package property
