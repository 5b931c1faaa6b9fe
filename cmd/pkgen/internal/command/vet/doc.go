// Package vet is pkgen vet, and the tool for go vet -vettool.
package vet
