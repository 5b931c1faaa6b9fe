package keychange

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// judgeComputed refuses a computed property that was computed by another expression or stored: the
// service does not rebuild its index, and stored documents may have a value of that name. Drafts
// are not refused.
func (f *folder) judgeComputed(d *model.Model, was, now lock.Entry) {
	if was.Draft {
		return
	}
	at := func(name string) token.Position {
		return propertyPosition(d.Document, written{json: jsonpointer.Of(name)})
	}
	for _, c := range now.Computed {
		i := slices.IndexFunc(was.Computed, func(old lock.Computed) bool { return old.Name == c.Name })
		switch {
		case i >= 0 && !cosmossql.SameComputed(was.Computed[i].Query, c.Query):
			f.refuseProperty(at(c.Name),
				fmt.Sprintf("the computed property %s of type %s was %s, and is %s: the service does not index it again, so queries would find documents by the old values", c.Name, d.Name(), was.Computed[i].Query, c.Query),
				"\n\tgive the new expression a property of another name, and keep or remove this one")
		case i < 0 && slices.ContainsFunc(was.Properties, func(p lock.Property) bool { return p.Pointer == jsonpointer.Of(c.Name) }):
			f.refuseProperty(at(c.Name),
				fmt.Sprintf("the property %s of type %s was stored and is now computed: documents keep the stored value, which programs of the previous release read and write", c.Name, d.Name()),
				fmt.Sprintf("\n\tgive the computed property another JSON name; if nothing reads the stored one any more, write %q on the blank field; see %s", "gone="+c.Name, evolutionPage))
		}
	}
	for _, c := range was.Computed {
		if slices.ContainsFunc(now.Computed, func(other lock.Computed) bool { return other.Name == c.Name }) {
			continue
		}
		if slices.ContainsFunc(now.Properties, func(p lock.Property) bool { return p.Pointer == jsonpointer.Of(c.Name) }) {
			f.refuseProperty(at(c.Name),
				fmt.Sprintf("the property %s of type %s was computed and is now stored: queries see the computed value as long as the container has it", c.Name, d.Name()),
				"\n\tgive the stored property another JSON name")
			continue
		}
		d.Report.Notef(d.Position(), "the computed property %s of type %s is removed, but its container still has it, and a container may have only %d; when no program of an earlier release is running, remove it from the index and then from the container, by az, Bicep or in the portal",
			c.Name, d.Name(), cosmossql.MaxComputed)
	}
}
