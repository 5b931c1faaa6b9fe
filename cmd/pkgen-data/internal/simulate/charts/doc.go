// Package charts makes charts of a simulation's report. It knows the meaning of the figures;
// package report draws charts.
package charts
