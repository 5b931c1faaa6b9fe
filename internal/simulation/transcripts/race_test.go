package transcripts

import (
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
)

// TestPatchWhileAnotherProgramWrites: a patch is refused by a document of an earlier form, and
// before it brings that to the present one, another program stores it in that form. The patch has
// no condition, and takes effect on what is stored then.
func TestPatchWhileAnotherProgramWrites(t *testing.T) {
	shape := shapes.All[slices.IndexFunc(shapes.All, func(s shapes.Shape) bool { return s.Name == "Concat2" })]
	documents := stored(t, shape)
	for refused := 2; refused < 4; refused++ { // after how many requests the other program writes
		in(t, func(t *testing.T, a *transport.Account) {
			s := &scene{shape: shape}
			s.open(t, a, documents)
			patching := a.Program()
			db, err := patching.Database()
			if err != nil {
				t.Fatal(err)
			}
			at, begin := s.place(early), make(chan struct{})
			perform(t, a, func() {
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					<-begin
					d := s.doc(early, 100)
					if err := s.Upsert(t.Context(), d); err != nil {
						t.Error(err)
					}
				}()
				if err := shape.Open(db).Patch(t.Context(), at, 5, "patched"); err != nil {
					t.Errorf("after %d requests: %v", refused, err)
				}
				<-ended
				if now, err := s.Get(t.Context(), at); err != nil || now.Value != 105 {
					t.Errorf("after %d requests: got %+v, %v", refused, now, err)
				}
			}, func(*transport.Request) transport.Fault {
				if len(a.History) == refused {
					close(begin)
					patching.Stop(time.Second)
				}
				return transport.Fault{}
			})
		})
	}
}
