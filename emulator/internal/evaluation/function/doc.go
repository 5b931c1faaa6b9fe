// Package function evaluates the system functions and aggregates of the query language.
// It knows values only. Package cosmossql has the names and the arguments of functions.
package function
