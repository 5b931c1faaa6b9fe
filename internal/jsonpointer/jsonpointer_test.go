package jsonpointer

import (
	"slices"
	"testing"
)

func TestPointers(t *testing.T) {
	for _, c := range []struct {
		pointer string
		names   []string
	}{
		{"", nil},
		{"/", []string{""}},
		{"/vin", []string{"vin"}},
		{"/position/lat", []string{"position", "lat"}},
		{"/a~1b/m~0n", []string{"a/b", "m~n"}}, // as in section 5 of the RFC
		{"/~01", []string{"~1"}},               // as in section 4
		{"/~00~1", []string{"~0/"}},
		{"//a", []string{"", "a"}},
		{"/ /é", []string{" ", "é"}},
	} {
		if got := Of(c.names...); got != c.pointer {
			t.Errorf("Of(%q) = %q, want %q", c.names, got, c.pointer)
		}
		if got := Names(c.pointer); !slices.Equal(got, c.names) {
			t.Errorf("Names(%q) = %q, want %q", c.pointer, got, c.names)
		}
		if len(c.names) > 0 {
			if got, want := Parent(c.pointer), Of(c.names[:len(c.names)-1]...); got != want {
				t.Errorf("Parent(%q) = %q, want %q", c.pointer, got, want)
			}
		}
	}
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		outer, inner string
		want         bool
	}{
		{"/a", "/a", true},
		{"/a", "/a/b", true},
		{"", "/a", true},
		{"/a", "/ab", false},
		{"/a/b", "/a", false},
	} {
		if got := Contains(c.outer, c.inner); got != c.want {
			t.Errorf("Contains(%q, %q) = %v", c.outer, c.inner, got)
		}
	}
}

func TestEscape(t *testing.T) {
	for name, element := range map[string]string{"": "", "vin": "vin", "a/b": "a~1b", "m~n": "m~0n", "~1": "~01"} {
		if got := Escape(name); got != element {
			t.Errorf("Escape(%q) = %q, want %q", name, got, element)
		}
		if got := Unescape(element); got != name {
			t.Errorf("Unescape(%q) = %q, want %q", element, got, name)
		}
	}
	if got := Names("a~1b/c"); !slices.Equal(got, []string{"a/b", "c"}) {
		t.Errorf("a pointer without its first slash has the names %q", got)
	}
	if n := testing.AllocsPerRun(100, func() { Unescape("vin") }); n != 0 {
		t.Errorf("%v allocations of a name without escapes", n)
	}
}

func TestWellEscaped(t *testing.T) {
	for pointer, want := range map[string]bool{"": true, "/a": true, "/a~0~1": true, "/~": false, "/a~2": false, "/~~0": false, "/~0~": false} {
		if got := WellEscaped(pointer); got != want {
			t.Errorf("WellEscaped(%q) = %v", pointer, got)
		}
	}
}
