// Package header reads the request headers that several parts of the protocol need.
// Names of headers that are read are written in the form of [http.CanonicalHeaderKey]:
// http.Header allocates that form, at each call, for any other.
package header
