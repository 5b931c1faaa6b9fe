// Package charge is a model of request charges, in request units.
package charge
