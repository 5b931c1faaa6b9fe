// Package initialize is pkgen init, which proposes tags.
package initialize
