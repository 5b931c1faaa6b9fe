// Package pictures makes charts and pages of package report from the results of package analyze: a
// report as one HTML file, and the most informative chart. It computes only rates and shares, and
// writes no files.
package pictures
