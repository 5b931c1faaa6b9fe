package partition

import (
	"encoding"
	"encoding/hex"
	"net/netip"
	"testing"
)

// uuid has a text also where it is zero.
type uuid [16]byte

func (u uuid) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(u[:])), nil }

// pointed has its method on the pointer.
type pointed [2]byte

func (p *pointed) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(p[:])), nil }

func TestMarshaledIdentities(t *testing.T) {
	const zero = "is empty, the zero value of its type: set it before the key is made"
	for name, tt := range map[string]struct {
		c    Component
		want string
	}{
		"uuid as id":            {MarshaledID(uuid{1}), ""},
		"uuid as key":           {MarshaledKey("Tenant", uuid{1}), ""},
		"pointer":               {MarshaledID(&pointed{1}), ""},
		"id with its prefix":    {PrefixedMarshaledID(onlyMarshaler("order-17"), "order-"), ""},
		"id without its prefix": {PrefixedMarshaledID(onlyMarshaler("17"), "order-"), `T.ID: does not begin with "order-", as all ids of the type do: write that before it`},
		"zero id with a prefix": {PrefixedMarshaledID(uuid{}, "order-"), "T.ID: " + zero},
		"zero id":               {MarshaledID(uuid{}), "T.ID: " + zero},
		"zero key":              {MarshaledKey("Tenant", uuid{}), "T.Tenant: " + zero},
		"zero, pointed":         {MarshaledKey("Tenant", &pointed{}), "T.Tenant: " + zero},
		"zero address":          {MarshaledKey("Addr", netip.Addr{}), "T.Addr: " + zero},
		"nil":                   {MarshaledID[encoding.TextMarshaler](nil), "T.ID: is empty: the value is nil: give it a value that has a text"},
		"slash in an id":        {MarshaledID(onlyMarshaler("a/b")), `T.ID: has '/' at byte 1: Cosmos DB restricts / \ ? # in ids, use another character`},
		"control character":     {MarshaledKey("Name", onlyMarshaler("a\r")), "T.Name: has the control character U+000D at byte 1: remove it"},
		"slash in a key":        {MarshaledKey("Name", onlyMarshaler("a/b")), ""},
		"text that is empty":    {MarshaledKey("Name", onlyMarshaler("")), "T.Name: " + zero},
	} {
		got := ""
		if err := Check("T", tt.c); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", name, got, tt.want)
		}
	}
}

func TestTextOf(t *testing.T) {
	if got := TextOf(uuid{0xab}); got != "ab000000000000000000000000000000" {
		t.Errorf("TextOf = %q", got)
	}
	if got := TextOf(&pointed{1, 2}); got != "0102" {
		t.Errorf("TextOf of a pointer = %q", got)
	}
	if got := TextOf(panicking{}); got != "" {
		t.Errorf("TextOf of what panics = %q", got)
	}
	id := uuid{1}
	if n := testing.AllocsPerRun(100, func() { _ = TextOf(id) }); n > 4 { // the call, EncodeToString and its bytes, and the result
		t.Errorf("TextOf allocates %v times", n)
	}
}

// TestAppendTextCopies appends to nothing the text of a value that keeps it.
func TestAppendTextCopies(t *testing.T) {
	kept := keeping{[]byte("ab")}
	text := AppendText(nil, kept)
	text[0] = 'x'
	if string(kept.text) != "ab" {
		t.Errorf("the value has the text %q now", kept.text)
	}
}

type keeping struct{ text []byte }

func (k keeping) MarshalText() ([]byte, error) { return k.text, nil }
