// Package period knows which periods of time the layouts of package time write.
package period

import (
	"strings"
	"unicode"
)

// periods are the layouts that have a name, each with the function of package
// partition that finds the start of the period.
var periods = []struct{ layout, name, function string }{
	{"2006", "year", "Year"},
	{"2006-01", "month", "Month"},
	{"2006-01-02", "day", "Day"},
	{"2006-01-02T15", "hour", "Hour"},
}

// Name names the period of a layout: "day", or "period" if it has no name.
func Name(layout string) string {
	for _, p := range periods {
		if p.layout == layout {
			return p.name
		}
	}
	return "period"
}

// padding removes the elements of a layout that have a fixed width.
var padding = strings.NewReplacer("2006", "", "01", "", "02", "", "15", "", "04", "", "05", "", "0", "")

// unpadded counts the elements of a layout that have one digit or two: 1, 2, 4
// and 5.
func unpadded(layout string) int {
	n := 0
	for _, r := range padding.Replace(layout) {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// Function returns the name of the function of package partition that finds the start of
// the period of a layout, or "".
func Function(layout string) string {
	for _, p := range periods {
		if p.layout == layout {
			return p.function
		}
	}
	return ""
}

// Unit names the period of a layout, whatever the order of its elements and the
// signs between them. It is "" for a period finer than an hour, and for a layout
// whose texts differ in width: queries over ranges rely on the order of texts.
func Unit(layout string) string {
	if unpadded(layout) > 0 {
		return ""
	}
	switch Digits(layout) {
	case len("2006"):
		return "year"
	case len("200601"):
		return "month"
	case len("20060102"):
		return "day"
	case len("2006010215"):
		return "hour"
	}
	return ""
}

// CoarseFirst reports whether the texts of a layout sort as the times do.
func CoarseFirst(layout string) bool {
	at := -1
	for _, unit := range []string{"2006", "01", "02", "15"} {
		i := strings.Index(layout, unit)
		if i < 0 {
			break
		}
		if i < at {
			return false
		}
		at = i
	}
	return at >= 0
}

// Named returns the layout with a name that has the periods of another one, if
// there is such a layout.
func Named(layout string) string {
	for _, p := range periods {
		if Unit(layout) == p.name {
			return p.layout
		}
	}
	return layout
}

// Digits counts the digits of a time layout, with those that an element without
// padding may have. The more digits, the finer the period.
func Digits(layout string) int {
	n := unpadded(layout)
	for _, r := range layout {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// A is the unit of a layout with its article.
func A(layout string) string {
	if name := Unit(layout); name != "hour" {
		return "a " + name
	}
	return "an hour"
}
