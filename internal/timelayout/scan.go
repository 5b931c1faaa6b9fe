package timelayout

import "strings"

// Element is an element of a layout, as package time parses it.
type Element struct {
	Start, End int    // its bytes in the layout
	Text       string // these bytes
	Unit       Unit
	Refusal    string // why keys may not have this element; it follows "Go reads … as"
}

// Unpadded reports whether the text has one digit or two: 1, 2, 4 and 5, instead of 01, 02, 04 and
// 05.
func (e Element) Unpadded() bool { return e.Unit != Literal && len(e.Text) == 1 }

// known lists the elements of package time in matching order: the longer of two with the same
// beginning comes first. The code handles fractions, and names that a lower-case letter must not
// follow. The source is nextStdChunk in time/format.go of Go 1.26.
var known = []struct {
	text    string
	unit    Unit
	refusal string
}{
	{"January", Literal, monthName},
	{"Monday", Literal, dayName},
	{"MST", Literal, zone},
	{"01", Month, ""},
	{"02", Day, ""},
	{"03", Literal, twelve},
	{"04", Minute, ""},
	{"05", Second, ""},
	{"06", Literal, "a year of two digits, which cannot tell 1926 from 2026: write 2006"},
	{"002", Literal, "the day of the year: write the month 01 and the day 02"},
	{"15", Hour, ""},
	{"1", Month, ""},
	{"2006", Year, ""},
	{"2", Day, ""},
	{"_2", Literal, "a day padded with a space: write 02"},
	{"__2", Literal, "the day of the year padded with spaces: write the month 01 and the day 02"},
	{"3", Literal, twelve},
	{"4", Minute, ""},
	{"5", Second, ""},
	{"PM", Literal, half},
	{"pm", Literal, half},
	{"-070000", Literal, zone}, {"-07:00:00", Literal, zone}, {"-0700", Literal, zone}, {"-07:00", Literal, zone}, {"-07", Literal, zone},
	{"Z070000", Literal, zone}, {"Z07:00:00", Literal, zone}, {"Z0700", Literal, zone}, {"Z07:00", Literal, zone}, {"Z07", Literal, zone},
	{"Jan", Literal, monthName},
	{"Mon", Literal, dayName},
}

// Refusals that several elements share.
const (
	monthName = "the name of a month, which has no fixed width and sorts by letter: write 01"
	dayName   = "the name of a weekday, which has no fixed width and says nothing that the date does not: remove it"
	zone      = "a time zone, and keys are always in UTC: remove it"
	twelve    = "an hour of the 12-hour clock, which comes twice a day: write 15"
	half      = "a half of the day, of the 12-hour clock: remove it and write the hour as 15"
)

// Scan splits a layout into elements and literal text, in the same places as package time, which
// finds elements within words as well.
func Scan(layout string) []Element {
	var out []Element
	add := func(e Element) {
		e.Text = layout[e.Start:e.End]
		out = append(out, e)
	}
	from := 0 // start of the literal text before i
	for i := 0; i < len(layout); {
		e, ok := elementAt(layout, i)
		if !ok {
			i++
			continue
		}
		if from < i {
			add(Element{Start: from, End: i})
		}
		add(e)
		i = e.End
		from = i
	}
	if from < len(layout) {
		add(Element{Start: from, End: len(layout)})
	}
	return out
}

// elementAt returns the element at byte i of the layout.
func elementAt(layout string, i int) (Element, bool) {
	rest := layout[i:]
	if e, ok := fractionAt(rest); ok {
		e.Start, e.End = i, i+e.End
		return e, true
	}
	for _, k := range known {
		if !strings.HasPrefix(rest, k.text) {
			continue
		}
		after := rest[len(k.text):]
		if (k.text == "Jan" || k.text == "Mon") && after != "" && 'a' <= after[0] && after[0] <= 'z' {
			return Element{}, false
		}
		if k.text == "_2" && strings.HasPrefix(after, "006") {
			return Element{}, false // a literal underscore before 2006
		}
		return Element{Start: i, End: i + len(k.text), Unit: k.unit, Refusal: k.refusal}, true
	}
	return Element{}, false
}

// maxFraction is the number of digits of a nanosecond. Package time writes no more, but would parse
// more.
const maxFraction = 9

// fractionAt returns the fraction of a second at the beginning of text: a point or comma, and zeros
// or nines not followed by a digit.
func fractionAt(text string) (Element, bool) {
	if len(text) < 2 || text[0] != '.' && text[0] != ',' || text[1] != '0' && text[1] != '9' {
		return Element{}, false
	}
	n := 1
	for n < len(text) && text[n] == text[1] {
		n++
	}
	if n < len(text) && '0' <= text[n] && text[n] <= '9' {
		return Element{}, false
	}
	e := Element{End: n}
	switch {
	case text[0] == ',':
		e.Refusal = "a fraction after a comma, but a comma ends the format in a tag: write a point"
	case text[1] == '9':
		e.Refusal = "a fraction without trailing zeros, which has no fixed width: write zeros, as in .000"
	case n-1 > maxFraction:
		e.Refusal = "a fraction of more than nine digits, but a time has nanoseconds: write at most .000000000"
	default:
		e.Unit = Fraction
	}
	return e, true
}
