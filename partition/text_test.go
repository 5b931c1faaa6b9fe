package partition

import (
	"encoding"
	"errors"
	"net/netip"
	"testing"
	"time"
)

// onlyMarshaler has MarshalText and no AppendText.
type onlyMarshaler string

func (m onlyMarshaler) MarshalText() ([]byte, error) { return []byte(m), nil }

// failing returns half a text and its error.
type failing struct{ err error }

func (f failing) MarshalText() ([]byte, error) { return []byte("half"), f.err }

// panicking panics.
type panicking struct{}

func (panicking) MarshalText() ([]byte, error) { panic("out of order") }

// failingAppender writes half a text before it fails.
type failingAppender struct{}

func (failingAppender) MarshalText() ([]byte, error) { return []byte("unused"), nil }
func (failingAppender) AppendText(b []byte) ([]byte, error) {
	return append(b, "half"...), errors.New("half way")
}

// bothWays has both methods, which it should not, with different texts.
type bothWays struct{}

func (bothWays) MarshalText() ([]byte, error)        { return []byte("marshaled"), nil }
func (bothWays) AppendText(b []byte) ([]byte, error) { return append(b, "appended"...), nil }

func TestAppendText(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    encoding.TextMarshaler
		want string
	}{
		{"marshaler", onlyMarshaler("x"), "key-x"},
		{"appender", netip.MustParseAddr("2001:db8::1"), "key-2001:db8::1"},
		{"appender before marshaler", bothWays{}, "key-appended"},
		{"empty", onlyMarshaler(""), "key-"},
		{"nil", nil, "key-"},
		{"nil pointer", (*onlyMarshaler)(nil), "key-"},
		{"failing", failing{errors.New("no")}, "key-"},
		{"failing appender", failingAppender{}, "key-"},
		{"panicking", panicking{}, "key-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := append(make([]byte, 0, 64), "key-"...)
			if got := string(AppendText(b, tt.v)); got != tt.want {
				t.Errorf("AppendText = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAppendTime(t *testing.T) {
	west := time.FixedZone("west", -7*60*60)
	for _, tt := range []struct {
		at     time.Time
		layout string
		want   string
	}{
		{time.Date(2018, 8, 9, 23, 59, 59, 999999999, time.UTC), "2006", "k2018"},
		{time.Date(2018, 8, 9, 23, 59, 59, 999999999, time.UTC), "2006-01", "k2018-08"},
		{time.Date(2018, 8, 9, 23, 59, 59, 999999999, time.UTC), "2006-01-02", "k2018-08-09"},
		{time.Date(2018, 8, 9, 17, 0, 0, 0, west), "2006-01-02", "k2018-08-10"},
		{time.Date(2018, 8, 9, 17, 0, 0, 0, west), "2006-01-02T15", "k2018-08-10T00"},
		{time.Date(33, 4, 3, 0, 0, 0, 0, time.UTC), "2006:01", "k0033:04"},
		{time.Date(2018, 8, 9, 1, 2, 3, 4500, time.UTC), "2006-01-02T15:04:05.000000Z", "k2018-08-09T01:02:03.000004Z"},
		{time.Time{}, "2006-01-02", "k0001-01-01"},
	} {
		if got := string(AppendTime([]byte("k"), tt.at, tt.layout)); got != tt.want {
			t.Errorf("AppendTime(%v, %q) = %q, want %q", tt.at, tt.layout, got, tt.want)
		}
	}
}

func TestAppendingDoesNotAllocate(t *testing.T) {
	at := time.Date(2018, 8, 9, 1, 30, 0, 0, time.FixedZone("east", 2*60*60))
	length := 0
	if n := testing.AllocsPerRun(100, func() {
		var array [64]byte
		length += len(AppendTime(array[:0], at, "2006-01-02T15"))
	}); n != 0 {
		t.Errorf("AppendTime allocates %v times, want 0", n)
	}
	if length == 0 {
		t.Error("no text")
	}
}

func TestAppendTextAllocatesOnce(t *testing.T) {
	addr := netip.MustParseAddr("192.0.2.1")
	buffer := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { buffer = AppendText(buffer[:0], addr) }); n > 1 {
		t.Errorf("AppendText of an appender allocates %v times, want 1 at most", n)
	}
	if string(buffer) != "192.0.2.1" {
		t.Errorf("AppendText = %q", buffer)
	}
}
