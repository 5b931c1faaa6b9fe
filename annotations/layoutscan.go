package annotations

import "strings"

// unit is what an accepted element of a layout names, the coarsest first.
type unit int

const (
	noUnit unit = iota // literal text, and elements that are refused
	year
	month
	day
	hour
	minute
	second
	fraction
)

// String names the unit in a message.
func (u unit) String() string {
	return [...]string{"text", "year", "month", "day", "hour", "minute", "second", "fraction of a second"}[u]
}

// element returns how a Go layout writes the unit.
func (u unit) element() string {
	return [...]string{"", "2006", "01", "02", "15", "04", "05", ".000"}[u]
}

// element is a piece of a layout as package time reads it: bytes start to end
// are an accepted element, or one that is refused for a reason, or, with
// neither a unit nor a refusal, literal text.
type element struct {
	start, end int
	unit       unit
	refusal    string // follows "Go reads … as"
}

// unpadded reports whether the element has one digit or two: 1, 2, 4 and 5, in
// place of 01, 02, 04 and 05.
func (e element) unpadded() bool { return e.unit != noUnit && e.end-e.start == 1 }

// known lists the elements of package time in the order in which they must be
// tried: of two that begin alike the longer comes first. The code deals with
// fractions, and with names that a lower-case letter must not follow.
// The source is nextStdChunk in time/format.go of Go 1.26.
var known = []struct {
	text    string
	unit    unit
	refusal string
}{
	{"January", noUnit, monthName},
	{"Monday", noUnit, dayName},
	{"MST", noUnit, zone},
	{"01", month, ""},
	{"02", day, ""},
	{"03", noUnit, twelve},
	{"04", minute, ""},
	{"05", second, ""},
	{"06", noUnit, "a year of two digits, which cannot tell 1926 from 2026: write 2006"},
	{"002", noUnit, "the day of the year: write the month 01 and the day 02"},
	{"15", hour, ""},
	{"1", month, ""},
	{"2006", year, ""},
	{"2", day, ""},
	{"_2", noUnit, "a day padded with a space: write 02"},
	{"__2", noUnit, "the day of the year padded with spaces: write the month 01 and the day 02"},
	{"3", noUnit, twelve},
	{"4", minute, ""},
	{"5", second, ""},
	{"PM", noUnit, half},
	{"pm", noUnit, half},
	{"-070000", noUnit, zone}, {"-07:00:00", noUnit, zone}, {"-0700", noUnit, zone}, {"-07:00", noUnit, zone}, {"-07", noUnit, zone},
	{"Z070000", noUnit, zone}, {"Z07:00:00", noUnit, zone}, {"Z0700", noUnit, zone}, {"Z07:00", noUnit, zone}, {"Z07", noUnit, zone},
	{"Jan", noUnit, monthName},
	{"Mon", noUnit, dayName},
}

// Refusals that several elements share.
const (
	monthName = "the name of a month, which has no fixed width and sorts by letter: write 01"
	dayName   = "the name of a weekday, which has no fixed width and says nothing that the date does not: remove it"
	zone      = "a time zone, and keys are always in UTC: remove it"
	twelve    = "an hour of the 12-hour clock, which comes twice a day: write 15"
	half      = "a half of the day, of the 12-hour clock: remove it and write the hour as 15"
)

// scan cuts a layout into elements and literal text, at the same places as
// package time, which finds elements within words as well.
func scan(layout string) []element {
	var out []element
	from := 0 // of the literal text before i
	for i := 0; i < len(layout); {
		e, ok := elementAt(layout, i)
		if !ok {
			i++
			continue
		}
		if from < i {
			out = append(out, element{start: from, end: i})
		}
		out = append(out, e)
		i = e.end
		from = i
	}
	if from < len(layout) {
		out = append(out, element{start: from, end: len(layout)})
	}
	return out
}

// elementAt returns the element that begins at byte i of the layout.
func elementAt(layout string, i int) (element, bool) {
	rest := layout[i:]
	if e, ok := fractionAt(rest); ok {
		e.start, e.end = i, i+e.end
		return e, true
	}
	for _, k := range known {
		if !strings.HasPrefix(rest, k.text) {
			continue
		}
		after := rest[len(k.text):]
		if (k.text == "Jan" || k.text == "Mon") && after != "" && 'a' <= after[0] && after[0] <= 'z' {
			return element{}, false
		}
		if k.text == "_2" && strings.HasPrefix(after, "006") {
			return element{}, false // a literal underscore before 2006
		}
		return element{i, i + len(k.text), k.unit, k.refusal}, true
	}
	return element{}, false
}

// maxFraction is the number of digits of a nanosecond; package time writes no
// more, and would read back more than it wrote.
const maxFraction = 9

// fractionAt returns the fraction of a second that the text begins with: a
// point or comma and zeros, or nines, and no digit after them.
func fractionAt(text string) (element, bool) {
	if len(text) < 2 || text[0] != '.' && text[0] != ',' || text[1] != '0' && text[1] != '9' {
		return element{}, false
	}
	n := 1
	for n < len(text) && text[n] == text[1] {
		n++
	}
	if n < len(text) && '0' <= text[n] && text[n] <= '9' {
		return element{}, false
	}
	e := element{end: n}
	switch {
	case text[0] == ',':
		e.refusal = "a fraction after a comma, but a comma ends the format in a tag: write a point"
	case text[1] == '9':
		e.refusal = "a fraction without trailing zeros, which has no fixed width: write zeros, as in .000"
	case n-1 > maxFraction:
		e.refusal = "a fraction of more than nine digits, but a time has nanoseconds: write at most .000000000"
	default:
		e.unit = fraction
	}
	return e, true
}
