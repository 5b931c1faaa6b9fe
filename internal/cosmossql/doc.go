// Package cosmossql reads the text of a query into a tree, and checks what can be said of
// a query without values for its parameters: the grammar, names, numbers of arguments,
// and the rules for groups and orders.
//
// It evaluates nothing. The grammar is the one that Microsoft publishes with the .NET
// SDK; the comment of the emulator's package evaluation says where it differs.
package cosmossql
