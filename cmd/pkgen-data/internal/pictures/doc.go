// Package pictures turns what package analyze found into charts and pages of package
// report: a report as one file of HTML, one chart that tells most, and charts for a
// terminal. It calculates nothing but rates and shares, and writes no files.
package pictures
