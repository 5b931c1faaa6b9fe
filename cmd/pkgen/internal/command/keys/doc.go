// Package keys is pkgen keys: the key function of a type in another language.
package keys
