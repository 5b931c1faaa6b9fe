// Package doctor is pkgen-data doctor: it finds what is wrong with an account.
package doctor
