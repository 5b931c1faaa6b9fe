// Package keys is pkgen keys: it prints the key function of a type in another language.
package keys
