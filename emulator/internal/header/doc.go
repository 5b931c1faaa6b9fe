// Package header reads the request headers that several parts of the protocol need.
package header
