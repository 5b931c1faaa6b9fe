package timelayout

import "slices"

// Unit is the unit of an element, coarsest first.
type Unit int

// The units. Literal is the unit of text between elements, and of elements that keys may not have.
const (
	Literal Unit = iota
	Year
	Month
	Day
	Hour
	Minute
	Second
	Fraction
)

// String returns the name of the unit in messages.
func (u Unit) String() string {
	return [...]string{"text", "year", "month", "day", "hour", "minute", "second", "fraction of a second"}[u]
}

// Element returns the element of the unit.
func (u Unit) Element() string {
	return [...]string{"", "2006", "01", "02", "15", "04", "05", ".000"}[u]
}

// Calendar has the layouts that tags can name. The first ones belong to the units from Year to
// Hour.
var Calendar = [...]struct{ Name, Layout string }{
	{"year", "2006"},
	{"month", "2006-01"},
	{"day", "2006-01-02"},
	{"hour", "2006-01-02T15"},
	{"instant", "2006-01-02T15:04:05.0000000Z"}, // the text of a repository.Time
}

// Layout returns the layout of the unit in Calendar, or "".
func (u Unit) Layout() string {
	if u < Year || u > Hour {
		return ""
	}
	return Calendar[u-Year].Layout
}

// Finest returns the finest unit of a layout, or Literal if it has no element.
func Finest(layout string) Unit {
	finest := Literal
	for _, e := range Scan(layout) {
		finest = max(finest, e.Unit)
	}
	return finest
}

// Name returns the name of a layout in [Calendar], such as day, if it belongs to a unit, or "".
func Name(layout string) string {
	if u := Finest(layout); layout == u.Layout() && u != Literal {
		return u.String()
	}
	return ""
}

// Period names the period of a layout, regardless of the order of its elements and the signs
// between them. It is "" for a period finer than an hour, and for a layout with texts of different
// widths: range queries rely on the order of texts.
func Period(layout string) string { return Name(Named(layout)) }

// Named returns the layout of [Calendar] with the same period, or layout itself.
func Named(layout string) string {
	if named := Finest(layout).Layout(); named != "" && FixedWidth(layout) {
		return named
	}
	return layout
}

// FixedWidth reports whether all texts of a layout have the same width. Otherwise texts do not sort
// like times.
func FixedWidth(layout string) bool {
	return !slices.ContainsFunc(Scan(layout), Element.Unpadded)
}

// CoarseFirst reports whether each element of a layout follows the coarser ones.
func CoarseFirst(layout string) bool {
	last := Literal
	for _, e := range Scan(layout) {
		if e.Unit == Literal {
			continue
		}
		if e.Unit < last {
			return false
		}
		last = e.Unit
	}
	return last != Literal
}

// FractionDigits returns the number of fractional digits of a second in a layout.
func FractionDigits(layout string) int {
	for _, e := range Scan(layout) {
		if e.Unit == Fraction {
			return len(e.Text) - len(".")
		}
	}
	return 0
}

// Finer reports whether the texts of layout a distinguish more times than those of b. Both layouts
// must have each unit coarser than their finest.
func Finer(a, b string) bool {
	if one, other := Finest(a), Finest(b); one != other {
		return one > other
	}
	return FractionDigits(a) > FractionDigits(b)
}
