// Package header reads the request headers that several parts of the protocol need. It names
// headers in the form of [http.CanonicalHeaderKey]. For any other form, each call of
// http.Header allocates a string.
package header
