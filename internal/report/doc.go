// Package report draws charts, and writes pages that show them. It knows numbers and labels, but
// not their meaning.
//
// A [HeatMap], [Lines], [Bars] or [Curve] is a chart: plain data, which
//
//   - [SVG] draws as a file for light and dark schemes and for paper,
//   - [Page] shows with others, their numbers as tables, and text.
//
// A page is one HTML file. It loads nothing, sends nothing, and runs one script, which its content
// security policy names by its hash: tooltips, the keyboard, the brightness of heat maps. All
// charts and tables work without the script.
//
// Labels, names and titles are untrusted: each is printed as a word of package plain, escaped,
// isolated from the direction of the text around it, and truncated if it does not fit.
//
// Drawing is deterministic: the same chart gives the same bytes on every machine.
package report
