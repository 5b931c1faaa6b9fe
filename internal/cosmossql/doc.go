// Package cosmossql parses the text of a query into a tree, and makes the checks that need no
// parameter values: the grammar, names, numbers of arguments, and the rules for groups and orders.
//
// It evaluates nothing. The grammar is the one that Microsoft publishes with the .NET SDK; the
// comment of the emulator's package evaluation lists the differences.
package cosmossql
