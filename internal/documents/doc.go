// Package documents has the operations on documents of one type that are the same for
// the Table, MongoDB and Gremlin APIs: whose key a document has, what is checked before
// a request and after it, which requests are repeated, pages and their cursors. It knows
// a service by a [Driver] alone.
package documents
