package repository

import "github.com/cosmos-pkgen/pkgen/documents"

// HTTPStatus returns the status with which a service answers a request that failed by err; 200
// for nil: see [documents.HTTPStatus].
func HTTPStatus(err error) int { return documents.HTTPStatus(err) }

// HTTPField names the field that a client has to change so that the request may succeed, or
// is "": see [documents.HTTPField].
func HTTPField(err error) string { return documents.HTTPField(err) }
