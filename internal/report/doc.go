// Package report draws charts, and writes pages that show them. It knows numbers
// and labels, and nothing of what they mean.
//
// A [HeatMap], [Lines], [Bars] or [Curve] is a chart: plain data, which
//
//   - [SVG] draws as a file for light and dark surroundings and for paper,
//   - [Page] shows with others, their numbers as tables, and text.
//
// A page is one file of HTML. It loads nothing, sends nothing, and runs one script,
// which its content security policy names by its hash: tooltips, the keyboard, the
// brightness of heat maps. Without the script all charts and tables are there.
//
// Labels, names and titles may come from anybody: each is shown as package plain
// shows a word, escaped, isolated from the direction of its surroundings, and cut
// where it does not fit.
//
// Drawing is deterministic: the same chart gives the same bytes on every machine.
package report
