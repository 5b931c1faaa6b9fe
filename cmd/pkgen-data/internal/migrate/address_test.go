package migrate

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestAddress has documents whose ids the path of a request cannot have: they are listed
// by their reasons, no request names them, and the others are copied, also those with
// other odd ids.
func TestAddress(t *testing.T) {
	bad := []string{`a/b`, `\/`, `a\\b`, `a?b`, `a#b`, `..`, `.`, `a `, `a\nb`, `a\ud800b`, `a%2Fb`, `%23`}
	good := []string{`é✓😀`, `a%2gb`, `100%`, `<a>&+;='"'`, ` b`, `..c`, `a b`, `A`, `a`}
	for _, suffix := range []string{"{vin%4}", "{*%4}"} {
		t.Run(suffix, func(t *testing.T) {
			r := newRig(t, server.Options{Lenient: true, AllVersions: time.Hour}, toContainer, stateContainer)
			r.lock = strings.Replace(r.lock, "{vin%4}", suffix, 1)
			var documents []string
			for _, id := range slices.Concat(bad, good) {
				id = strings.ReplaceAll(id, `'"'`, `'\"'`)
				documents = append(documents, `{"id":"`+id+`","vin":"vin-1","date":"d"}`)
			}
			r.load(fromContainer, documents...)
			o, err := r.options(t.Context(), r.connect(r.whole()))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := DryRun(t.Context(), o)
			if err != nil || plan.Documents != int64(len(good)) {
				t.Errorf("%+v, %v", plan, err)
			}
			m, err := r.migrate(t.Context(), r.whole())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(r.documents("daily")); n != len(good) {
				t.Errorf("%d documents were copied, want %d", n, len(good))
			}
			v, err := m.Compare(t.Context())
			if err != nil || v.Equal || v.Differ != 0 {
				t.Fatalf("%+v, %v", v, err)
			}
			for _, refused := range [][]Refusal{plan.Refused, m.Refused(), v.Refused} {
				n, slash := 0, 0
				for _, f := range refused {
					n += f.Documents
					if strings.HasPrefix(f.Reason, "has '/'") {
						slash += f.Documents
					}
				}
				if n != len(bad) || slash != 2 {
					t.Errorf("%d refused, %d for a slash: %+v", n, slash, refused)
				}
			}
			for _, q := range r.server.Requests() {
				if _, id, ok := strings.Cut(q.Path, "/docs/"); ok && !strings.Contains(q.Path, "/colls/state/") {
					if id, err := url.PathUnescape(id); err != nil || !slices.Contains(good, id) {
						t.Errorf("%s %s was sent", q.Method, q.Path)
					}
				}
			}
		})
	}
}
