package lock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sealedLock has a type that is sealed, one that is gone, and a draft.
var sealedLock = Lock{
	{
		Type: "Event", Container: "events", Definition: hash, TTL: "60", Layout: "{date}.{vin%400}", Discriminator: "event",
		Kinds:      []PropertyKind{{Property: "date", Kind: Time}, {Property: "vin", Kind: Text}},
		Properties: []Property{{Pointer: "/date", JSON: "string"}},
	},
	{Type: "Old", Container: "events", Definition: hash, TTL: "60", Layout: "{a}", Gone: true},
	{Type: "Trip", Container: "trips", Definition: hash, Layout: "{a}", Draft: true, Kinds: []PropertyKind{{Property: "a", Kind: Text}}},
}

// TestSealOfLines changes a line of a file each, as a merge does.
func TestSealOfLines(t *testing.T) {
	const odd = "was sealed with a container, path, kind, conflict path, layout or component"
	text := string(sealedLock.Format())
	for _, tt := range []struct{ line, other, want string }{
		{"\tpath /partitionKey\n", "\tpath /pk\n", odd},
		{"\tkind Hash\n", "\tkind MultiHash\n", odd},
		{"\tversion 2\n", "\tversion 1\n", odd},
		{"container events\n", "container other\n", odd},
		{"component vin text", "component vin .Severity", odd},
		{"component vin text", "component vin text /v", odd},
		{"\t\tcomponent vin text\n", "", odd},
		{"\t\tcomponent vin text\n", "\t\tcomponent vin text\n\t\tcomponent x text\n", odd},
		{"\t\tcomponent date time\n\t\tcomponent vin text\n", "\t\tcomponent vin text\n\t\tcomponent date time\n", odd},
		{"{date}.{vin%400} ", "{date}.{vin%100} ", odd},
		{"as=event", "as=other", odd},
		{"as=event", "as=event was=200", odd},
		{"type Event", "type Signal", ""}, // keys do not depend on the name
		{"ttl 60", "ttl 70", ""},
		{"ttl 60", "ttl 60\n\tconflict /at", odd},
		{"property /date string", "property /day number", ""},
		{"component a text", "component a int", ""}, // of a draft
		{"draft", "draft seal=0011223344556677", "is a draft and has a seal="},
		{"draft", "", "is not a draft, but its line lacks the seal="},
		{" seal=" + sealedLock[0].seal(), "", "is not a draft, but its line lacks the seal="},
		{" seal=" + sealedLock[1].seal(), "", "is not a draft, but its line lacks the seal="},
		{sealedLock[1].seal(), "0011223344556677", odd},
		{" seal=" + sealedLock[0].seal(), " draft", ""},
		{" seal=" + sealedLock[0].seal(), " seal=" + sealedLock[0].seal() + " draft", "does not follow a layout"},
	} {
		if !strings.Contains(text, tt.line) {
			t.Fatalf("no %q in\n%s", tt.line, text)
		}
		merged := strings.Replace(text, tt.line, tt.other, 1)
		l, err := Parse([]byte(merged))
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%q in place of %q: got %v, want %q", tt.other, tt.line, err, tt.want)
		case err != nil && tt.want != "does not follow a layout":
			line := strings.Split(merged, "\n")[err.Line-1]
			if l != nil || !strings.HasPrefix(line, "\ttype ") {
				t.Errorf("%q in place of %q: the error is about %q", tt.other, tt.line, line)
			}
		}
	}
}

// TestSealIsForEver has the digests that are in checked-in files.
func TestSealIsForEver(t *testing.T) {
	var got []string
	for _, e := range sealedLock[:2] {
		got = append(got, e.seal())
	}
	if diff := cmp.Diff([]string{"9e54cce542f759bc", "33b65a306d2fe190"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestVersion2 reads a file of the version before, whose sealed types have no digest. It is
// written with them.
func TestVersion2(t *testing.T) {
	text := string(sealedLock.Format())
	for _, e := range sealedLock {
		text = strings.Replace(text, " seal="+e.seal(), "", 1)
	}
	got, err := Parse([]byte(strings.Replace(text, fmt.Sprintf("\nversion %d\n", formatVersion), "\nversion 2\n", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sealedLock, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(string(sealedLock.Format()), string(got.Format())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if l, err := Parse([]byte(strings.Replace(string(sealedLock.Format()), fmt.Sprintf("\nversion %d\n", formatVersion), "\nversion 2\n", 1))); err == nil {
		t.Errorf("a digest in version 2: got %v", l)
	}
}
