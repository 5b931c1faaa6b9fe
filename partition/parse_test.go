package partition

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// readingKey has a component of each kind.
type readingKey struct {
	Device string
	Serial int16
	Minute uint8
	At     time.Time
	Zone   string
	Live   bool
	Addr   netip.Addr
	Suffix int
}

const readingSeparators = "-.:/年"

// text makes a key as generated code does.
func (k readingKey) text() string {
	var array [64]byte
	b := append(array[:0], "v1:"...)
	b = AppendEscaped(b, k.Device, readingSeparators)
	b = append(b, '-')
	b = AppendEscapedInt(b, int64(k.Serial), readingSeparators)
	b = append(b, ".m"...)
	b = strconv.AppendUint(b, uint64(k.Minute), 10)
	b = append(b, "::"...)
	b = AppendTime(b, k.At, "2006年01-02")
	b = append(b, '-')
	b = AppendEscaped(b, AppendLower(nil, k.Zone), readingSeparators)
	b = append(b, "年"...)
	b = strconv.AppendBool(b, k.Live)
	b = append(b, '/')
	b = AppendEscaped(b, AppendText(nil, k.Addr), readingSeparators)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(k.Suffix), 10)
	return string(append(b, "-end"...))
}

// check refuses what generated code refuses.
func (k readingKey) check() error {
	return Check("Reading", EscapedText("Device", k.Device), Time("At", k.At), EscapedLowerText("Zone", k.Zone),
		EscapedMarshaled("Addr", k.Addr), RandomSuffix("Suffix", k.Suffix, 400), Key(k.text()))
}

// parseReading takes a key apart as generated code does.
func parseReading(key string) (k readingKey, err error) {
	p := Parse("Reading", key, readingSeparators)
	p.Literal("v1:")
	k.Device = p.Text("Device")
	p.Literal("-")
	k.Serial = ParseInt[int16](p, "Serial")
	p.Literal(".m")
	k.Minute = ParseUint[uint8](p, "Minute")
	p.Literal("::")
	k.At = p.Time("At", "2006年01-02")
	p.Literal("-")
	k.Zone = p.LowerText("Zone")
	p.Literal("年")
	k.Live = p.Bool("Live")
	p.Literal("/")
	p.Unmarshal("Addr", &k.Addr)
	p.Literal(".")
	k.Suffix = p.Bucket("Suffix", 400)
	p.Literal("-end")
	return k, p.Err()
}

func reading() readingKey {
	return readingKey{"a-b", -7, 59, time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC), "europe/berlin", true, netip.MustParseAddr("2001:db8::1"), 126}
}

const readingText = "v1:a%2Db-%2D7.m59::2018年08-09-europe%2Fberlin年true/2001%3Adb8%3A%3A1.126-end"

func TestParse(t *testing.T) {
	if got := reading().text(); got != readingText {
		t.Errorf("the key is %q, want %q", got, readingText)
	}
	if got, err := parseReading(readingText); err != nil || got != reading() {
		t.Errorf("parsed as %+v, %v, want %+v", got, err, reading())
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		old, new string // what is changed in readingText
		want     string // the error, without its end
	}{
		{"v1:", "v2:", `Reading: the partition key does not have "v1:" at byte 0`},
		{readingText, "", `Reading: the partition key does not have "v1:" at byte 0`},
		{"a%2Db", "", "Reading.Device: is empty"},
		{"a%2Db", "a%2db", `Reading.Device: has a "%" at byte 1 without two upper-case hexadecimal digits after it`},
		{"a%2Db", "a\xff", `Reading.Device: spells "\xff" at byte 1 in another way than the generated code`},
		{"a%2Db", "a-b", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"a%2Db", "a.b", `Reading: the partition key does not have "-" at byte 4`},
		{"%2D7", "", "Reading.Serial: is empty"},
		{"%2D7", "007", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"%2D7", "+7", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"%2D7", "%2D0", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"%2D7", "32768", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"%2D7", "99999999999999999999", `Reading.Serial: is no integer of the type int16 in plain decimal`},
		{"m59", "59", `Reading: the partition key does not have ".m" at byte 13`},
		{"m59", "m256", `Reading.Minute: is no integer of the type uint8 in plain decimal`},
		{"m59", "m%2D1", `Reading.Minute: is no integer of the type uint8 in plain decimal`},
		{"m59", "m059", `Reading.Minute: is no integer of the type uint8 in plain decimal`},
		{"08-09", "02-29", `Reading.At: is no time of the layout "2006年01-02"`},
		{"08-09", "8-09", `Reading.At: is no time of the layout "2006年01-02"`},
		{"2018年08-09", "0001年01-01", `Reading.At: is no time of the layout "2006年01-02"`},
		{"2018年08-09", "0000年12-31", `Reading.At: is no time of the layout "2006年01-02"`},
		{"europe%2Fberlin", "Europe%2Fberlin", `Reading.Zone: is not in ASCII lower case`},
		{"europe%2Fberlin", "zürich", `Reading.Zone: is not in ASCII lower case`},
		{"true", "TRUE", `Reading.Live: is neither true nor false`},
		{"true", "", `Reading.Live: is neither true nor false`},
		{"2001%3Adb8%3A%3A1", "", "Reading.Addr: is empty"},
		{"2001%3Adb8%3A%3A1", "x", `Reading.Addr: is no text of its type: UnmarshalText failed`},
		{"2001%3Adb8%3A%3A1", "2001%3ADB8%3A%3A1", `Reading.Addr: is a text that its type writes as another one`},
		{".126-", ".-", `Reading.Suffix: is no number from 1 to 400`},
		{".126-", ".0-", `Reading.Suffix: is no number from 1 to 400`},
		{".126-", ".401-", `Reading.Suffix: is no number from 1 to 400`},
		{".126-", ".0126-", `Reading.Suffix: is no number from 1 to 400`},
		{".126-", ".126x-", `Reading: the partition key does not have "-end" at byte 76`},
		{"-end", "-end ", `Reading: the partition key goes on at byte 80, where it should end`},
		{"-end", "", `Reading: the partition key does not have "-end" at byte 76`},
		{"-end", "-enden", `Reading: the partition key goes on at byte 80, where it should end`},
	} {
		if n := strings.Count(readingText, tt.old); n != 1 {
			t.Fatalf("%q occurs %d times in the key", tt.old, n)
		}
		key := strings.Replace(readingText, tt.old, tt.new, 1)
		k, err := parseReading(key)
		if err == nil {
			t.Errorf("%q is accepted as %+v, want: %s", key, k, tt.want)
			continue
		}
		var keyErr *KeyError
		if !errors.As(err, &keyErr) {
			t.Errorf("%q: %v is no *KeyError", key, err)
		}
		if got, ok := strings.CutSuffix(err.Error(), ": this is no key of the type"); got != tt.want || !ok {
			t.Errorf("%q: %s\nwant %s", key, err, tt.want)
		}
		if _, again := parseReading(key); again == nil || again.Error() != err.Error() {
			t.Errorf("%q: first %v, then %v", key, err, again)
		}
	}
}

// TestParseStopsAtTheFirst holds that nothing is read after a problem.
func TestParseStopsAtTheFirst(t *testing.T) {
	k, err := parseReading(strings.Replace(readingText, "%2D7", "x", 1))
	if err == nil || k != (readingKey{Device: "a-b"}) {
		t.Errorf("parsed as %+v, %v, want the device alone and an error", k, err)
	}
}

func TestParseOfLongKeys(t *testing.T) {
	for length, want := range map[int]string{
		MaxKeyBytes:     "",
		MaxKeyBytes + 1: "T: the partition key has 2049 bytes, more than the 2048 that Cosmos DB allows: shorten a component",
	} {
		p := Parse("T", strings.Repeat("x", length), "-")
		p.Text("A")
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%d bytes: %q, want %q", length, got, want)
		}
	}
}

// unreadable panics when it is read, or writes something else.
type unreadable string

func (u *unreadable) MarshalText() ([]byte, error) { return []byte("other"), nil }
func (u *unreadable) UnmarshalText(text []byte) error {
	if string(text) == "panic" {
		panic("out of order")
	}
	*u = unreadable(text)
	return nil
}

func TestUnmarshalOfBrokenTypes(t *testing.T) {
	for key, want := range map[string]string{
		"panic": "T.Owner: is no text of its type: UnmarshalText panicked: this is no key of the type",
		"text":  "T.Owner: is a text that its type writes as another one: this is no key of the type",
	} {
		var owner unreadable
		p := Parse("T", key, "-")
		p.Unmarshal("Owner", &owner)
		if err := p.Err(); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", key, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a-b", int16(-7), uint8(59), int64(1533772800), "europe/berlin", true, []byte("\x20\x01\x0d\xb8"), 126, readingText)
	f.Add("%2D\x00", int16(-1<<15), uint8(0), int64(-62135596800), "É", false, []byte{}, 400, strings.Replace(readingText, "a%2Db", "%2d", 1))
	f.Add("😀\xff年", int16(0), uint8(255), int64(253402300799), "UPPER\x7f", false, []byte("\x00"), 401, strings.Replace(readingText, "08", "13", 1))
	f.Fuzz(func(t *testing.T, device string, serial int16, minute uint8, unix int64, zone string, live bool, addr []byte, suffix int, text string) {
		var bytes [16]byte
		copy(bytes[:], addr)
		want := readingKey{device, serial, minute, Day(time.Unix(unix, 0)), zone, live, netip.AddrFrom16(bytes), suffix}
		key := want.text()
		got, err := parseReading(key)
		if problem := want.check(); problem != nil {
			if err == nil {
				t.Errorf("%q is accepted, but %v", key, problem)
			}
			return
		}
		want.Zone = string(AppendLower(nil, zone))
		if err != nil || got != want {
			t.Errorf("%q is parsed as %+v, %v, want %+v", key, got, err, want)
		}
		if !survivesHeader(key) {
			t.Errorf("%q does not survive the header", key)
		}
		// Any other text: what is accepted is written so again.
		for _, text := range []string{text, key[:len(key)/2] + text, text + key[len(key)/2:]} {
			k, err := parseReading(text)
			if err == nil && (k.check() != nil || k.text() != text) {
				t.Errorf("%q is parsed as %+v, whose key is %q, %v", text, k, k.text(), k.check())
			}
		}
	})
}

// FuzzTuples holds that different components give different keys, with any
// separators.
func FuzzTuples(f *testing.F) {
	f.Add("a-b", "c", "d", "a", "b-c", "d", "-", ".")
	f.Add("a", "-", "b", "a-", "", "-b", "-", "-")
	f.Add("a::", "b", "%", "a", "::b", "%25", "::", ":-")
	f.Add("x", "\xe5\xb9", "\xb4", "x\xe5", "\xb9", "\xb4", "年", "月x")
	f.Fuzz(func(t *testing.T, a1, b1, c1, a2, b2, c2, sep1, sep2 string) {
		_, size1 := utf8.DecodeRuneInString(sep1)
		_, size2 := utf8.DecodeRuneInString(sep2)
		first1, first2 := separatorsOf(sep1[:size1]), separatorsOf(sep2[:size2])
		if first1 == "" || first2 == "" {
			return // a separator begins with a sign
		}
		set := first1 + first2
		join := func(a, b, c string) string {
			text := AppendEscaped(nil, a, set)
			text = AppendEscaped(append(text, sep1...), b, set)
			return string(AppendEscaped(append(text, sep2...), c, set))
		}
		one, two := join(a1, b1, c1), join(a2, b2, c2)
		if same := a1 == a2 && b1 == b2 && c1 == c2; same != (one == two) {
			t.Errorf("(%q, %q, %q) and (%q, %q, %q) have the keys %q and %q", a1, b1, c1, a2, b2, c2, one, two)
		}
		if a1 == "" || b1 == "" || c1 == "" || len(one) > MaxKeyBytes {
			return
		}
		p := Parse("T", one, set)
		a := p.Text("A")
		p.Literal(sep1)
		b := p.Text("B")
		p.Literal(sep2)
		c := p.Text("C")
		if err := p.Err(); err != nil || a != a1 || b != b1 || c != c1 {
			t.Errorf("%q is parsed as (%q, %q, %q), %v, want (%q, %q, %q)", one, a, b, c, err, a1, b1, c1)
		}
	})
}

func TestParsingDoesNotAllocate(t *testing.T) {
	const key = "k:abc-7.59:2018-08-09/true.126"
	if n := testing.AllocsPerRun(100, func() {
		p := Parse("T", key, ".-:/")
		p.Literal("k:")
		text := p.Text("A")
		p.Literal("-")
		serial := ParseInt[int](p, "B")
		p.Literal(".")
		minute := ParseUint[uint](p, "C")
		p.Literal(":")
		at := p.Time("D", "2006-01-02")
		p.Literal("/")
		live := p.Bool("E")
		p.Literal(".")
		if p.Bucket("F", 400) != 126 || text != "abc" || serial != 7 || minute != 59 || at.Day() != 9 || !live || p.Err() != nil {
			t.Fatal(p.Err())
		}
	}); n != 0 {
		t.Errorf("parsing %q allocates %v times, want 0", key, n)
	}
}

func TestUnmarshalAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		var owner hexText
		p := Parse("T", "00ff", "-")
		p.Unmarshal("Owner", &owner)
		if p.Err() != nil || owner[1] != 0xFF {
			t.Fatal(p.Err())
		}
	}); n > 3 {
		t.Errorf("Unmarshal allocates %v times, want the value and its text, twice", n)
	}
}

// hexText is bytes that are written in hexadecimal, without allocations of its
// own.
type hexText [2]byte

func (h *hexText) MarshalText() ([]byte, error)        { return h.AppendText(nil) }
func (h *hexText) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, h[:]), nil }
func (h *hexText) UnmarshalText(text []byte) error {
	_, err := hex.Decode(h[:], text)
	return err
}
