package migrate

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestLockChanges changes the lock between two runs. What changes whose a document is,
// or where it lies, is refused before anything is written; the rest of the lock may change.
func TestLockChanges(t *testing.T) {
	const typ, other = "\ttype Event {date}.{vin%4}", "\ttype Other {date}\n\t\tcomponent date text\n"
	for _, test := range []struct{ name, old, changed, want string }{
		{"layout", "{vin%4}", "{vin%8}", "the layout changed"},
		{"prefix", typ, typ + " prefix=a-", "the prefix of ids changed"},
		{"discriminator", typ, typ + " as=event", "the discriminator changed"},
		{"escaping", typ, typ + " escape", "the escaping changed"},
		{"kind of a component", "component vin text", "component vin int", "the text of vin changed"},
		{"another kind of the id", "\t\tcomponent vin text\n", "\t\tcomponent vin text\n\t\tcomponent id .UUID\n", "the text of id changed"},
		{"another type", "\nend", other + "\nend", "type Other was not part of the migration"},
		{"the type has another name", "type Event", "type Happening", "type Happening was not part of the migration"},
		{"properties", "\t\tcomponent vin text\n", "\t\tcomponent vin text\n\t\tproperty /speed number\n", ""},
		{"buckets of the next release", typ, typ + " next=8", ""},
		{"time to live", "\tversion 2\n", "\tversion 2\n\tttl -1\n", ""},
		{"draft", typ, typ + " draft", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, server.Options{}, toContainer, stateContainer)
			r.load(fromContainer, events(5)...)
			if _, err := r.migrate(t.Context(), r.whole()); err != nil {
				t.Fatal(err)
			}
			if r.lock = strings.Replace(rigLock, test.old, test.changed, 1); r.lock == rigLock {
				t.Fatal("nothing has changed")
			}
			before := len(r.server.Requests())
			o, err := r.options(t.Context(), r.connect(r.whole()))
			if err != nil {
				t.Fatal(err)
			}
			_, errRun := New(t.Context(), o)
			_, errDry := DryRun(t.Context(), o)
			for _, err := range []error{errRun, errDry} {
				if test.want == "" {
					if err != nil {
						t.Error(err)
					}
				} else if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), `delete container "daily", and make it again`) {
					t.Errorf("%v, want %q", err, test.want)
				}
			}
			for _, q := range r.server.Requests()[before:] {
				if test.want != "" && q.Method != http.MethodGet {
					t.Errorf("%s %s was sent", q.Method, q.Path)
				}
			}
		})
	}
}

// TestFewerTypes leaves a type out that was part of the migration.
func TestFewerTypes(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, `{"id":"1","type":"event","vin":"v","date":"d"}`)
	r.lock = strings.Replace(rigLock, "\nend", "\ttype Other {date} as=other\n\t\tcomponent date text\n\nend", 1)
	r.lock = strings.Replace(r.lock, "{vin%4}", "{vin%4} as=event", 1)
	if _, err := r.migrate(t.Context(), r.whole()); err != nil {
		t.Fatal(err)
	}
	r.lock = strings.Replace(rigLock, "{vin%4}", "{vin%4} as=event", 1)
	if _, err := r.migrate(t.Context(), r.whole()); err == nil || !strings.Contains(err.Error(), "type Other was part of the migration") {
		t.Error(err)
	}
}
