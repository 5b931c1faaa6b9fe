package generator

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// kindText writes a kind as Go does, without the document type: "" for none.
func kindText(k templates.FieldKind) string {
	if k.Name == "" {
		return ""
	}
	text := k.Name + "[" + typeText(k.Value)
	if k.Element != nil {
		text += ", " + kindText(*k.Element)
	}
	return text + "]"
}

func typeText(t pk.GoType) string {
	if t.Package != "" {
		return t.Package + "." + t.Name
	}
	return t.Name
}

// patchesOf returns the patches of properties by their pointers.
func patchesOf(properties []templates.Property) map[string]string {
	out := make(map[string]string)
	for _, p := range properties {
		out[p.Pointer] = kindText(p.Patch)
		maps.Copy(out, patchesOf(p.Properties))
	}
	return out
}

// TestPatches sees by which types patches change properties of all kinds of Go
// types, and which they do not change.
func TestPatches(t *testing.T) {
	models := modelsOf(t, "patches")
	for name, want := range map[string]map[string]string{
		"Doc": {
			"/id": "", "/_etag": "", "/_ts": "", "/_rid": "", "/type": "", "/day": "", "/meta": "", "/meta/vin": "",
			"/ttl":        "PatchNumber[int]",
			"/meta/color": "PatchValue[string]",

			"/text": "PatchValue[string]", "/name": "PatchValue[Name]", "/on": "PatchValue[bool]",
			"/n": "PatchNumber[int]", "/level": "PatchNumber[Level]", "/share": "PatchNumber[float32]",
			"/quoted": "",
			"/at":     "PatchValue[time.Time]", "/ended": "PatchValue[repository.Time]",
			"/place": "PatchValue[Place]", "/place/Lat": "PatchNumber[float64]", "/place/Lon": "PatchNumber[float64]",
			"/inner": "PatchValue[any]", "/inner/A": "PatchNumber[int]",
			"/pair": "PatchValue[any]", "/bytes": "PatchValue[any]", "/any": "PatchValue[any]",
			"/raw": "PatchValue[json.RawMessage]", "/number": "PatchValue[json.Number]",
			"/address": "PatchValue[netip.Addr]", "/link": "PatchValue[url.URL]",
			"/codes": "PatchValue[Codes]", "/secret": "PatchValue[Secret]",

			"/tags": "PatchList[string]", "/names": "PatchList[Name]", "/places": "PatchList[Place]", "/matrix": "PatchList[any]",
			"/counts":  "PatchMap[Level, PatchNumber[Level]]",
			"/lists":   "PatchMap[any, PatchList[string]]",
			"/deep":    "PatchMap[any, PatchMap[Place, PatchValue[Place]]]",
			"/anys":    "PatchMap[any, PatchValue[any]]",
			"/tree":    "PatchMap[Tree, PatchValue[Tree]]",
			"/ciphers": "PatchMap[Secret, PatchValue[Secret]]",
		},
		"Key": {
			"/id": "", "/email": "", "/meta": "",
			"/type": "PatchValue[string]", "/meta/note": "PatchValue[string]",
		},
		"Levels":  {"/id": "", "/tenant": "", "/day": "", "/type": "PatchValue[string]"},
		"Natural": {"/id": "", "/type": ""},
	} {
		if diff := cmp.Diff(want, patchesOf(models[name].Properties)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// TestServiceFields sees the fields that hold what is no part of the document's
// own content.
func TestServiceFields(t *testing.T) {
	models := modelsOf(t, "servicefields")
	for name, want := range map[string]pk.Field{
		"Named":  {Selector: "Rest", Name: "Rest"},
		"Tagged": {Selector: "Unknown", Name: "Unknown", Pointers: []string{"Extra"}},
	} {
		m := models[name]
		if m.Rest == nil || m.TTL == nil || m.ETag == nil || *m.TTL != model.ItemsExpire || m.ETag.Property != facts.ETagProperty {
			t.Fatalf("%s: rest %v, time to live %v, ETag %v", name, m.Rest, m.TTL, m.ETag)
		}
		if diff := cmp.Diff(want, *m.Rest); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
