package annotations

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// Layout returns the layout for package time of a format, which is one of the names year,
// month, day, hour and instant, or a Go layout. It checks a Go layout and returns it unchanged.
//
// A layout is accepted only if its texts map one to one to the periods of UTC that it names,
// for the years 1 to 9999. It consists of 2006, 01, 02, 15, 04, 05 and a fixed fraction such as
// .000 right after the seconds, each at most once, in any order, and has the year and every
// unit coarser than its finest. The text between them has no digits, and only characters that
// are legal in keys and templates: no control characters, nothing beyond U+FFFF, none of { } |
// % and no comma.
//
// Texts of such a layout have the same width. The elements 1, 2, 4 and 5, which are not padded
// with a zero, are accepted for existing keys, if there is text between them and other
// elements.
//
// The error is an *[Error] with offsets into the format. It names the element as package time
// reads it, which may surprise: 200612 is the year, a month and a day.
func Layout(format string) (string, error) {
	out, err := layout(span{format, 0})
	if err != nil {
		return "", err
	}
	return out, nil
}

// layout is Layout for a format within a longer text.
func layout(s span) (string, *Error) {
	for _, c := range timelayout.Calendar {
		if s.text == c.Name {
			return c.Layout, nil
		}
	}
	if s.text == "" {
		return "", s.errorf("empty format: write year, month, day, hour, or a Go layout such as 2006-01-02")
	}
	if trimmed := strings.TrimSpace(s.text); trimmed != s.text {
		return "", s.errorf("spaces around the format %q: remove them", trimmed)
	}
	elements := timelayout.Scan(s.text)
	if !slices.ContainsFunc(elements, func(e timelayout.Element) bool { return e.Unit != timelayout.Literal }) && !strings.ContainsAny(s.text, "0123456789") {
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

// notLayout reports a format without any element that Layout accepts: a misspelt name, or
// another language's layout. Text that Go reads as a name or a zone is left to checkElements.
func notLayout(s span, elements []timelayout.Element) *Error {
	names := make([]string, len(timelayout.Calendar))
	for i, c := range timelayout.Calendar {
		names[i] = c.Name
	}
	if near := spelling.Nearest(s.text, names); near != "" {
		return s.misspelt("format", near)
	}
	if slices.ContainsFunc(elements, func(e timelayout.Element) bool { return e.Refusal != "" }) {
		return nil
	}
	return s.errorf("unknown format %q: write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05", s.text)
}

// checkElements reports the first element that is refused or in the wrong place, and literal
// text that is illegal in keys or templates.
func checkElements(s span, elements []timelayout.Element) *Error {
	seen := make(map[timelayout.Unit]bool)
	for i, e := range elements {
		at := s.slice(e.Start, e.End)
		switch {
		case e.Refusal != "":
			return at.errorf("format %q: Go reads %q as %s", s.text, at.text, e.Refusal)
		case e.Unit == timelayout.Literal:
			if err := literal(s, at); err != nil {
				return err
			}
		case seen[e.Unit]:
			return at.errorf("format %q has %q twice: write each element once", s.text, at.text)
		case e.Unit == timelayout.Fraction && (i == 0 || elements[i-1].Unit != timelayout.Second):
			return at.errorf("format %q: the fraction %q must come right after the seconds 05", s.text, at.text)
		case i > 1 && elements[i-2].Unit == timelayout.Second && elements[i-1].Text == ".":
			return s.slice(e.Start-len("."), e.End).errorf(
				"format %q: Go reads what follows \"05.\" as a fraction of the second; use another separator than \".\"", s.text)
		}
		seen[e.Unit] = true
	}
	return nil
}

// checkPadding reports an element without padding that touches another one, which makes texts
// ambiguous: 2018111 is the first of November or the eleventh of January.
func checkPadding(s span, elements []timelayout.Element) *Error {
	for i := 1; i < len(elements); i++ {
		e, before := elements[i], elements[i-1]
		at := s.slice(e.Start, e.End)
		switch {
		case e.Unit == timelayout.Literal || before.Unit == timelayout.Literal || e.Unit == timelayout.Fraction:
			continue
		case before.Unpadded():
			e, at = before, s.slice(before.Start, before.End)
		case !e.Unpadded():
			continue
		}
		return at.errorf("format %q: Go reads %q as a %s without padding, whose digits run into its neighbours: write %s, or text between them",
			s.text, at.text, e.Unit, e.Unit.Element())
	}
	return nil
}

// literal checks the text between two elements.
func literal(s, at span) *Error {
	if i := strings.IndexAny(at.text, "0123456789"); i >= 0 {
		return at.slice(i, i+1).errorf("format %q: %q is not an element of a Go layout, but looks like part of the date; layouts are made from the time 2006-01-02T15:04:05", s.text, at.text[i:i+1])
	}
	if i := strings.Index(at.text, ","); i >= 0 {
		return at.slice(i, i+1).errorf("format %q holds a comma, which ends the format in a tag: use \".\" for fractions, or another separator", s.text)
	}
	return keyText(at, "{}|%", "text in a format")
}

// checkUnits reports a missing unit.
func checkUnits(s span, elements []timelayout.Element) *Error {
	finest := timelayout.Finest(s.text)
	have := make(map[timelayout.Unit]bool)
	for _, e := range elements {
		have[e.Unit] = true
	}
	for u := timelayout.Year; u < finest; u++ {
		if !have[u] {
			return s.errorf("format %q has the %s but not the %s, so different times get the same key: add %q", s.text, finest, u, u.Element())
		}
	}
	return nil
}
