// Package function holds the system functions and aggregates of the query language:
// their names, their arguments, and what they compute from values.
//
// It knows values only. The parser asks it which functions there are, and the
// evaluation calls them.
package function
