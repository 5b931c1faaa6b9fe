// Package pictures turns what package analyze found into charts and pages of package
// report: a report as one file of HTML, and the chart that tells most. It calculates
// nothing but rates and shares, and writes no files.
package pictures
