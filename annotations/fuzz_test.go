package annotations

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// checkErrors asserts what holds for errors of any text.
func checkErrors(t *testing.T, text string, errs []*Error) {
	t.Helper()
	for _, err := range errs {
		if err.Offset < 0 || err.Offset > err.End || err.End > len(text) {
			t.Errorf("%q: offsets %d to %d are out of range: %v", text, err.Offset, err.End, err)
		}
		if err.Message == "" {
			t.Errorf("%q: an error without a message", text)
		}
	}
	if !slices.IsSortedFunc(errs, func(a, b *Error) int { return a.Offset - b.Offset }) {
		t.Errorf("%q: errors are not sorted by offset", text)
	}
}

func FuzzParseField(f *testing.F) {
	for _, s := range []string{
		"id", "id,pk", "pk,concat,format=day", "pk,hashsuffix=VIN+A.B,buckets=400", "pk,randomsuffix,buckets=2", "synthetic", "etag",
		"ttl", "ts", "rest", "ttl=5,ts", "type=x", "orders=A+B", "id,prefix=order-", "prefix=a/\xff,id",
		"", ",", " pk ,, = ,=x", "hashsufix=VIN", "pk,hashsuffix=+.,buckets=\xff", "container=x", "pk,format=2006-01-02T15:04:05,000",
		"pk,concat,order=2,lower", "pk,level=3,format=day", "pk,level=1,concat,order=0", "pk,lower,format=lower",
		"pk,hashsuffix=VIN,buckets=400,was=200+100", "pk,hashsuffix=VIN,buckets=100,next=400", "was=+,next=x", "pk,randomsuffix,buckets=4,was=2,next=2", "pk,hashsuffix=A,was=2 + 2,buckets=2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		got, errs := ParseField(tag)
		checkErrors(t, tag, errs)
		for _, w := range names(OnField) {
			if at := got.Offset(w); at >= 0 && !strings.HasPrefix(tag[at:], w) {
				t.Errorf("%q: %q is not at offset %d", tag, w, at)
			}
			if at := got.ValueOffset(w); at >= 0 && !strings.HasSuffix(strings.TrimSpace(tag[:at]), "=") {
				t.Errorf("%q: the value of %q is not at offset %d", tag, w, at)
			}
		}
		for _, p := range got.Hash {
			if p.Text == "" || !strings.HasPrefix(tag[p.Offset:], p.Text) {
				t.Errorf("%q: path %q is not at offset %d", tag, p.Text, p.Offset)
			}
		}
		if len(errs) > 0 {
			return
		}
		if suffix := got.Random || got.Hash != nil; suffix != (got.Buckets >= minBuckets) || got.Buckets > maxBuckets {
			t.Errorf("%q: accepted with %d buckets", tag, got.Buckets)
		}
		checkGrowth(t, tag, got.Was, got.Buckets, got.Next)
		if got.Level > MaxLevels || got.Order > maxOrder || got.Level > 0 && (got.Concat || got.Order > 0) || got.Lower && got.Format != "" {
			t.Errorf("%q: accepted as %+v", tag, got)
		}
		if _, err := Layout(got.Format); got.Format != "" && err != nil {
			t.Errorf("%q: accepted with a format that Layout refuses: %v", tag, err)
		}
	})
}

// checkGrowth asserts that accepted numbers of buckets fall from the next release
// to the oldest.
func checkGrowth(t *testing.T, tag string, was []int, now, next int) {
	t.Helper()
	if next != 0 && next <= now {
		t.Errorf("%q: accepted with %d buckets and then %d", tag, now, next)
	}
	for _, n := range was {
		if n >= now || n < minBuckets {
			t.Errorf("%q: accepted with %d buckets after %d", tag, now, n)
		}
		now = n
	}
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{
		"container=readings,path=/partitionKey,sep=-,suffixsep=.,methods=none", "path=/a/b_c", "sep==", "", "path=/a//", "sep={", "suffixsep=1",
		"pk", "containr=x", "container=\xff", "sep=😀", " path = /a ",
		"escape,key=v1:{A.B|lower}-{C|day}.{D+E%4}", "key={A},{B}", "key={A}.{*%4},sep=-", "sep=%,escape", "key={a-b}x{A},escape",
		"type=reading,ttl=-1", "formerly=OldReading,formerly=a.b", "ttl=0,type=\x01", "orders=Speed:desc+Meta.At;B+C", "orders=A+A:asc;; B + C:desc;D", "orders=:+;:desc",
		"container=t-{At|2006-01}", "container={A}-{B|day}-x,key={C}", "container={A}x{B}", "container={A%2}-{*%4}{",
		"conflict=lww", "conflict=lww:/meta/revision,ttl=5", "conflict=lww:", "conflict=:/a", "conflict=custom:x", "conflict=lww:/_ts", "conflict=lww:a//", "conflict=\xff",
		"key={A}.{B%400},was=200+100,next=500", "key={A}.{*%4},was=2", "key={A},next=2", "was=1,next=0", "key={,was=4",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		got, errs := ParseType(tag)
		checkErrors(t, tag, errs)
		for _, w := range names(OnType) {
			if at := got.Offset(w); at >= 0 && !strings.HasPrefix(tag[at:], w) {
				t.Errorf("%q: %q is not at offset %d", tag, w, at)
			}
		}
		for _, order := range got.Orders {
			for _, p := range order {
				if p.Text == "" || !strings.HasPrefix(tag[p.Offset:], p.Text) {
					t.Errorf("%q: path %q is not at offset %d", tag, p.Text, p.Offset)
				}
			}
		}
		if len(errs) > 0 {
			return
		}
		checkOptions(t, tag, got)
		if bucket := got.Key.bucket(); bucket != nil {
			checkGrowth(t, tag, got.Was, bucket.Buckets, got.Next)
		} else if got.Was != nil || got.Next != 0 {
			t.Errorf("%q: accepted without a bucket", tag)
		}
		// An accepted separator is valid in a template; before a bucket it must not
		// end in a digit.
		for _, sep := range []string{got.Sep, got.SuffixSep} {
			text := "{a}" + sep + "{b%2}"
			if strings.TrimRight(sep, "0123456789") != sep {
				text = "{a}" + sep + "{b}"
			}
			if sep == "" {
				continue
			}
			checkSeparator(t, got, sep)
			if tpl, err := ParseTemplate(text); err != nil || tpl.String() != text {
				t.Errorf("%q: separator %q is not valid in a template: %v", tag, sep, err)
			}
		}
		if len(got.Key.Levels) > 0 {
			checkKey(t, tag, got)
		}
		if len(got.Containers.Levels) > 0 {
			checkContainers(t, tag, got)
		}
	})
}

// checkSeparator asserts that a component can be told from the text after it.
func checkSeparator(t *testing.T, typ Type, sep string) {
	t.Helper()
	if typ.Escape && strings.ContainsAny(sep[:1], "%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		t.Errorf("separator %q is accepted together with escape", sep)
	}
}

// checkKey asserts what is promised of an accepted key.
func checkKey(t *testing.T, tag string, typ Type) {
	t.Helper()
	if len(typ.Key.Levels) != 1 || typ.Sep != "" || typ.SuffixSep != "" {
		t.Errorf("%q: accepted as %+v", tag, typ)
	}
	if again, err := ParseTemplate(typ.Key.String()); err != nil || !cmp.Equal(again, typ.Key) {
		t.Errorf("%q: the key is read again as %q: %v", tag, again, err)
	}
	var paths []string
	for _, part := range typ.Key.Levels[0] {
		if part.Component != nil {
			paths = append(paths, part.Component.Fields...)
		}
	}
	if len(paths) != len(typ.KeyPaths) {
		t.Fatalf("%q: %d paths, want %d", tag, len(typ.KeyPaths), len(paths))
	}
	for i, p := range typ.KeyPaths {
		if p.Text != paths[i] || !strings.HasPrefix(tag[p.Offset:], p.Text) {
			t.Errorf("%q: path %q at %d, want %q", tag, p.Text, p.Offset, paths[i])
		}
	}
	for i, part := range typ.Key.Levels[0] {
		if first, _ := utf8.DecodeRuneInString(part.Literal); i > 0 && part.Component == nil {
			checkSeparator(t, typ, string(first))
		}
	}
}

// checkContainers asserts what is promised of an accepted template of containers.
func checkContainers(t *testing.T, tag string, typ Type) {
	t.Helper()
	if len(typ.Containers.Levels) != 1 || typ.Container != "" || len(typ.ContainerPaths) == 0 {
		t.Errorf("%q: accepted as %+v", tag, typ)
	}
	if again, err := ParseTemplate(typ.Containers.String()); err != nil || !cmp.Equal(again, typ.Containers) {
		t.Errorf("%q: the template is read again as %q: %v", tag, again, err)
	}
	for _, p := range typ.ContainerPaths {
		if !strings.HasPrefix(tag[p.Offset:], p.Text) {
			t.Errorf("%q: path %q is not at %d", tag, p.Text, p.Offset)
		}
	}
}

func FuzzLayout(f *testing.F) {
	for _, s := range []string{
		"day", "2006-01-02T15:04:05.000", "20060102150405", "02.01.2006", "15:04:05 02/01/2006", "2006-01-02 15h04m05s", "_2006 01",
		"200612", "05.2006", "05.000.2006-01-02T15:04", "2006-01-02T15:04:05.999", "Jan _2 2006", "Month2006", "2006-01-02T15:04:05.0000000000", "dya", "2006  01",
	} {
		f.Add(s, int64(1533798000), int64(1e9+7), uint32(123456789))
	}
	f.Fuzz(func(t *testing.T, format string, a, b int64, nanos uint32) {
		layout, err := Layout(format)
		if err != nil {
			checkErrors(t, format, []*Error{err.(*Error)})
			return
		}
		checkAccepted(t, layout, anyTime(a, nanos), anyTime(b, nanos/2))
		checkAccepted(t, layout, anyTime(a, nanos), anyTime(a+1, nanos))
		text := "{at|" + layout + "}"
		if tpl, err := ParseTemplate(text); err != nil || tpl.String() != text {
			t.Errorf("layout %q is not valid in a template: %v", layout, err)
		}
	})
}

// anyTime maps numbers to the times of the years 1 to 9999.
func anyTime(seconds int64, nanos uint32) time.Time {
	first := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	last := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	seconds %= last - first
	if seconds < 0 {
		seconds += last - first
	}
	return time.Unix(first+seconds, int64(nanos%1e9)).UTC()
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"{deviceId}-{date}", "{date}.{vin%400}", "{date}.{*%400}", "{vin+region%400}", "{at|day}.{vin%400}", "customer:{CustomerID}:{a.b}",
		"{tenantId},{userId|lower},{at|2006-01}.{vin|lower%400}", "{a},{b},{c},{d}", "{a}, {b}", "{a},{a}", "{a|lower|day}", "{a|Lower}", ",",
		"", "{", "}", "{}", "{a}{b}", "{a}1{b%4}", "{*}", "{a,b}", "{a|}", "{a%}", "{a|2006%4}", "x{ a}", "{a}\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		first, err := ParseTemplate(s)
		if err != nil {
			checkErrors(t, s, []*Error{err})
			return
		}
		text := first.String()
		second, err := ParseTemplate(text)
		if err != nil {
			t.Fatalf("%q prints as %q, which does not parse: %v", s, text, err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%q and %q differ (-first +second):\n%s", s, text, diff)
		}
		if again := second.String(); again != text {
			t.Errorf("%q prints as %q, then as %q", s, text, again)
		}
		if n := len(first.Levels); n < 1 || n > MaxLevels {
			t.Errorf("%q: %d levels", s, n)
		}
		for _, level := range first.Levels {
			checkLevel(t, s, level)
		}
	})
}

// checkLevel asserts what is promised of an accepted level.
func checkLevel(t *testing.T, s string, level Level) {
	t.Helper()
	components, touching := 0, false
	for _, part := range level {
		c := part.Component
		if c == nil {
			if part.Literal == "" {
				t.Errorf("%q: an empty literal", s)
			}
			touching = false
			continue
		}
		if touching {
			t.Errorf("%q: two components touch", s)
		}
		if c.Lower && (c.Format != "" || len(c.Fields) == 0) {
			t.Errorf("%q: accepted with lower case of what has none", s)
		}
		components, touching = components+1, true
	}
	if components == 0 {
		t.Errorf("%q: a level without a component", s)
	}
}

// FuzzTemplateValue makes templates from choices, and reads what they print.
func FuzzTemplateValue(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte("hierarchical keys of three levels, each made of several parts"))
	f.Fuzz(func(t *testing.T, choices []byte) {
		next := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := int(choices[0]) % n
			choices = choices[1:]
			return c
		}
		names := []string{"a", "vin", "meta.date", "lower", "größe", "x y", "日"}
		literals := []string{"-", ".", "::", "v1:", "|", "%", " - ", "é"}
		var want Template
		for i := range 1 + next(MaxLevels) {
			if i == MaxLevels-1 {
				want.Levels = append(want.Levels, Level{{Component: &Component{Fields: []string{"id"}}}})
				break
			}
			level := Level{{Literal: string(rune('A'+i)) + ":"}} // makes the levels differ
			for j := range 1 + next(3) {
				if j > 0 {
					level = append(level, Part{Literal: literals[next(len(literals))]})
				}
				c := &Component{Fields: []string{names[next(len(names))]}}
				switch next(6) {
				case 0:
					c.Format = []string{"2006", "2006:01", "2006-01-02T15:04:05.000"}[next(3)]
				case 1:
					c.Lower = true
				case 2:
					c.Fields, c.Lower, c.Buckets = append(c.Fields, "other"), next(2) == 0, 2+next(250)
				case 3:
					c.Fields, c.Buckets = nil, 400
				}
				level = append(level, Part{Component: c})
			}
			want.Levels = append(want.Levels, level)
		}
		got, err := ParseTemplate(want.String())
		if err != nil {
			t.Fatalf("%q: offset %d: %v", want.String(), err.Offset, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", want.String(), diff)
		}
	})
}
