// Package doctor is pkgen-data doctor: it finds faults of an account and its containers.
package doctor
