// Package documents is what the shop stores, and how its keys are made.
package documents

//go:generate go tool pkgen -ensure
