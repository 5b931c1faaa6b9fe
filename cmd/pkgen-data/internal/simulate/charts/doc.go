// Package charts makes charts of the report of a simulation. It knows what the figures
// mean; package report knows how charts are drawn.
package charts
