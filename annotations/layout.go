package annotations

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// calendar holds the formats that have a name.
var calendar = []struct{ name, layout string }{
	{"year", "2006"},
	{"month", "2006-01"},
	{"day", "2006-01-02"},
	{"hour", "2006-01-02T15"},
	{"instant", "2006-01-02T15:04:05.0000000Z"}, // the text of a repository.Time
}

// Layout returns the layout for package time of a format: of the names year,
// month, day, hour and instant, and of a Go layout, which is returned unchanged once it
// has been checked.
//
// A layout is accepted only if its text is one to one with the period of UTC
// that it names for the years 1 to 9999. It consists of 2006, 01, 02, 15, 04, 05
// and a fixed fraction such as .000 right after the seconds, each at most once,
// in any order, and holds the year and every unit coarser than its finest.
// The text between them has no digits, and only characters that a key and a
// template can hold: no control characters, nothing beyond U+FFFF, none of
// { } | % and no comma.
//
// Texts of such a layout are of one width. The elements 1, 2, 4 and 5, which do
// not pad with a zero, are accepted for keys that exist already, if there is text
// between them and other elements; see [FixedWidth].
//
// The error is an *[Error] with offsets into the format; it names the element
// as package time reads it, since that is often not what was meant: in 200612
// it is the year, a month and a day.
func Layout(format string) (string, error) {
	out, err := layout(span{format, 0})
	if err != nil {
		return "", err
	}
	return out, nil
}

// FixedWidth reports whether all texts of a layout that [Layout] has returned are
// of one width. Others do not sort as the times do.
func FixedWidth(layout string) bool {
	return !slices.ContainsFunc(scan(layout), element.unpadded)
}

// layout does the work of Layout for a format within a longer text.
func layout(s span) (string, *Error) {
	for _, c := range calendar {
		if s.text == c.name {
			return c.layout, nil
		}
	}
	if s.text == "" {
		return "", s.errorf("empty format: write year, month, day, hour, or a Go layout such as 2006-01-02")
	}
	if trimmed := strings.TrimSpace(s.text); trimmed != s.text {
		return "", s.errorf("spaces around the format %q: remove them", trimmed)
	}
	elements := scan(s.text)
	if !slices.ContainsFunc(elements, func(e element) bool { return e.unit != noUnit }) && !strings.ContainsAny(s.text, "0123456789") {
		if err := notLayout(s, elements); err != nil {
			return "", err
		}
	}
	if err := checkElements(s, elements); err != nil {
		return "", err
	}
	if err := checkUnits(s, elements); err != nil {
		return "", err
	}
	if err := checkPadding(s, elements); err != nil {
		return "", err
	}
	return s.text, nil
}

// notLayout reports a format without any element that Layout accepts: a
// misspelt name, or another language's layout. It leaves to the check of the
// elements what Go reads as a name or a zone.
func notLayout(s span, elements []element) *Error {
	names := make([]string, len(calendar))
	for i, c := range calendar {
		names[i] = c.name
	}
	if near := spelling.Nearest(s.text, names); near != "" {
		return s.misspelt("format", near)
	}
	if slices.ContainsFunc(elements, func(e element) bool { return e.refusal != "" }) {
		return nil
	}
	return s.errorf("unknown format %q: write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05", s.text)
}

// checkElements reports the first element that is refused or in the wrong place,
// and literal text that no key or template can hold.
func checkElements(s span, elements []element) *Error {
	seen := make(map[unit]bool)
	for i, e := range elements {
		at := s.slice(e.start, e.end)
		switch {
		case e.refusal != "":
			return at.errorf("format %q: Go reads %q as %s", s.text, at.text, e.refusal)
		case e.unit == noUnit:
			if err := literal(s, at); err != nil {
				return err
			}
		case seen[e.unit]:
			return at.errorf("format %q has %q twice: write each element once", s.text, at.text)
		case e.unit == fraction && (i == 0 || elements[i-1].unit != second):
			return at.errorf("format %q: the fraction %q must come right after the seconds 05", s.text, at.text)
		case i > 1 && elements[i-2].unit == second && s.text[elements[i-1].start:elements[i-1].end] == ".":
			return s.slice(e.start-len("."), e.end).errorf(
				"format %q: Go reads what follows \"05.\" as a fraction of the second; use another separator than \".\"", s.text)
		}
		seen[e.unit] = true
	}
	return nil
}

// checkPadding reports an element without padding that touches another one, so
// that nobody knows where the digits of one end: 2018111 is the first of November
// or the eleventh of January.
func checkPadding(s span, elements []element) *Error {
	for i := 1; i < len(elements); i++ {
		e, before := elements[i], elements[i-1]
		at := s.slice(e.start, e.end)
		switch {
		case e.unit == noUnit || before.unit == noUnit || e.unit == fraction:
			continue
		case before.unpadded():
			e, at = before, s.slice(before.start, before.end)
		case !e.unpadded():
			continue
		}
		return at.errorf("format %q: Go reads %q as a %s without padding, whose digits run into its neighbours: write %s, or text between them",
			s.text, at.text, e.unit, e.unit.element())
	}
	return nil
}

// literal checks the text between two elements.
func literal(s, at span) *Error {
	if i := strings.IndexAny(at.text, "0123456789"); i >= 0 {
		return at.slice(i, i+1).errorf("format %q: %q is no element of a Go layout, and would read like a part of the date; layouts are made from the time 2006-01-02T15:04:05", s.text, at.text[i:i+1])
	}
	if i := strings.Index(at.text, ","); i >= 0 {
		return at.slice(i, i+1).errorf("format %q holds a comma, which ends the format in a tag: use \".\" for fractions, or another separator", s.text)
	}
	return keyText(at, "{}|%", "text in a format")
}

// checkUnits reports a missing unit.
func checkUnits(s span, elements []element) *Error {
	finest := noUnit
	have := make(map[unit]bool)
	for _, e := range elements {
		have[e.unit] = true
		finest = max(finest, e.unit)
	}
	for u := year; u < finest; u++ {
		if !have[u] {
			return s.errorf("format %q has the %s but not the %s, so that different times get one key: add %q", s.text, finest, u, u.element())
		}
	}
	return nil
}
