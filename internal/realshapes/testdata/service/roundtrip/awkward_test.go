package roundtrip

import (
	"testing"

	"example.com/platform"
	"example.com/service/awkward"
)

func TestAwkward(t *testing.T) {
	db := database(t)
	t.Run("URL", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureURLContainer, awkward.NewURLRepository)
		d := &awkward.URL{Id: "u1", URL: "https://example.com/?q=a#b"}
		run(t, c, r, d.Key(), trip[awkward.URL]{
			document: d, key: `["https://example.com/?q=a#b-false"]`, query: r.ByURLAndHTTP(d.URL, false),
			changes: list(awkward.URLPatch.R.Decrement(1)), changed: func(d *awkward.URL) { d.R-- },
		})
	})
	t.Run("Type", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureTypeContainer, awkward.NewTypeRepository)
		d := &awkward.Type{Document: platform.Document{ID: "t1"}, Type: "a", Func: "b", Range: 1<<32 - 1}
		run(t, c, r, d.Key(), trip[awkward.Type]{
			document: d, key: `["a-b-4294967295"]`, query: r.ByTypeAndFuncAndRange("a", "b", 1<<32-1),
			changes: list(awkward.TypePatch.Select.Set("SELECT"), awkward.TypePatch.Err.SetNull()), changed: func(d *awkward.Type) { d.Select = "SELECT" },
		})
	})
	t.Run("Query", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureQueryContainer, awkward.NewQueryRepository)
		d := &awkward.Query{ID: "q1", Ctx: `it's "quoted"`, Key_: `back\slash`}
		run(t, c, r, d.Key(), trip[awkward.Query]{
			document: d, key: `["it's \"quoted\"","back\\slash"]`, query: r.ByCtx(d.Ctx),
			changes: list(awkward.QueryPatch.Repository.Set("x")), changed: func(d *awkward.Query) { d.Repository = "x" },
		})
	})
	t.Run("Größe", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureGrößeContainer, awkward.NewGrößeRepository)
		d := &awkward.Größe{ID: "größe", Länge: "日本"}
		run(t, c, r, d.Key(), trip[awkward.Größe]{
			document: d, key: `["日本"]`, query: r.ByLänge("日本").Where(awkward.GrößeFields.Punkt.Eq("")),
			changes: list(awkward.GrößePatch.Breit.Increment(1), awkward.GrößePatch.Punkt.Set("p"), awkward.GrößePatch.Dollr.Set("d")),
			changed: func(d *awkward.Größe) { d.Breit, d.Punkt, d.Dollr = 1, "p", "d" },
		})
	})
	t.Run("lowercase", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureLowercases, awkward.NewLowercases)
		d := &awkward.Lowercase{ID: "l1", String: "s", Error: "e", Append: at}
		run(t, c, r, d.Key(), trip[awkward.Lowercase]{
			document: d, key: `["s-e-202406"]`, query: r.ByStringAndErrorBetweenMonths("s", "e", at, at),
			changes: awkward.LongerByOne, changed: func(d *awkward.Lowercase) { d.Length = 1 },
		})
	})
	t.Run("Shadow", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureShadowContainer, awkward.NewShadowRepository)
		d := &awkward.Shadow{ID: "other", Key: "s1", Validate: "v", Suffix: -3}
		run(t, c, r, awkward.ShadowKeyOf(d), trip[awkward.Shadow]{
			document: d, key: `["v--3"]`, query: r.ByValidateAndSuffix("v", -3),
			changes: list(awkward.ShadowPatch.ID.Set("another")), changed: func(d *awkward.Shadow) { d.ID = "another" },
		})
	})
	t.Run("Key", func(t *testing.T) {
		r, c := in(t, db, awkward.EnsureKeyContainer, awkward.NewKeyRepository)
		d := &awkward.Key{ID: "k1"}
		run(t, c, r, d.Key(), trip[awkward.Key]{
			document: d, key: `["k1"]`, query: r.Scan(),
			changes: list(awkward.KeyPatch.Value.Set(-1)), changed: func(d *awkward.Key) { d.Value = -1 },
		})
	})
}
