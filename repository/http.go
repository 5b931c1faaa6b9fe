package repository

import "github.com/cosmos-pkgen/pkgen/documents"

// HTTPStatus returns the status with which a service responds to a request that failed with
// err; 200 for nil: see [documents.HTTPStatus].
func HTTPStatus(err error) int { return documents.HTTPStatus(err) }

// HTTPField returns the name of the field that a client must change for the request to succeed,
// or "": see [documents.HTTPField].
func HTTPField(err error) string { return documents.HTTPField(err) }
