package repository

import "github.com/cosmos-pkgen/pkgen/documents"

// HTTPStatus returns the status with which a service answers a request that failed by err; 200
// for nil: see [documents.HTTPStatus]. [documents.HTTPField] names the field that a client has
// to change.
func HTTPStatus(err error) int { return documents.HTTPStatus(err) }
