// Package function evaluates the system functions and aggregates of the query language on
// values. Package cosmossql has the names and the arguments of functions.
package function
