// Package vet is pkgen vet, and the tool of go vet -vettool.
package vet
