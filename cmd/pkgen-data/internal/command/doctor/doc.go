// Package doctor is pkgen-data doctor: what is wrong with an account.
package doctor
