package querytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newPeople(t *testing.T) (*azcosmos.ContainerClient, *repository.Documents[forms.Person, forms.PersonKey]) {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("people", "/key"), repository.Configure(nil))
	return container, repository.New(container, forms.PersonModel)
}

// rawPerson makes a document as some release has written it.
func rawPerson(id string, properties map[string]any) []byte {
	all := map[string]any{"id": id, "key": "k"}
	maps.Copy(all, properties)
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return raw
}

func storedPerson(t *testing.T, container *azcosmos.ContainerClient, id string) map[string]any {
	t.Helper()
	response, err := container.ReadItem(context.Background(), azcosmos.NewPartitionKeyString("k"), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(response.Value, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// somePeople stores documents of all releases, and such as have a property under several
// names or as null.
func somePeople(t *testing.T, container *azcosmos.ContainerClient) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	one := func(values ...any) any { return values[random.IntN(len(values))] }
	for i := range 150 {
		all := map[string]any{}
		for names, value := range map[string]func() any{
			"name fullName display": func() any { return one("ann", "Ann", "bo", "", nil) },
			"age years":             func() any { return one(0, 3, 7, nil) },
			"home address":          func() any { return one(nil, map[string]any{"city": "Rome"}, map[string]any{"city": "Oslo", "rank": 2}) },
			"counts numbers":        func() any { return one(nil, map[string]any{"a": 1}) },
			"tags labels":           func() any { return one(nil, []string{}, []string{"x"}) },
		} {
			for name := range strings.FieldsSeq(names) {
				if random.IntN(2) == 0 {
					all[name] = value()
				}
			}
		}
		if _, err := container.CreateItem(context.Background(), azcosmos.NewPartitionKeyString("k"), rawPerson(fmt.Sprint(i), all), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAliasesInPredicates compares each predicate, and its negation, with the same
// condition on the documents as reads return them: documents of all releases, and such as
// have a property under several names or as null.
func TestAliasesInPredicates(t *testing.T) {
	t.Parallel()
	container, people := newPeople(t)
	ctx := context.Background()
	somePeople(t, container)
	docs, err := people.Scan().Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	raws := map[string]map[string]any{}
	for _, p := range docs {
		raws[p.ID] = storedPerson(t, container, p.ID)
	}
	// newest returns what a document has under the newest of names.
	newest := func(p *forms.Person, names ...string) (any, bool) {
		for _, name := range names {
			if value, ok := raws[p.ID][name]; ok {
				return value, true
			}
		}
		return nil, false
	}
	isText := func(p *forms.Person) bool {
		v, _ := newest(p, "name", "fullName", "display")
		_, ok := v.(string)
		return ok
	}
	counts := func(p *forms.Person) bool { // has a number, or none where Go leaves a zero out
		v, ok := newest(p, "age", "years")
		return !ok || v != nil
	}
	type rule struct {
		predicate repository.Predicate[forms.Person]
		holds     func(*forms.Person) bool
	}
	rules := []rule{
		{forms.PersonFields.Name.Eq("ann"), func(p *forms.Person) bool { return p.Name == "ann" }},
		{forms.PersonFields.Name.Eq(""), func(p *forms.Person) bool { return isText(p) && p.Name == "" }},
		{forms.PersonFields.Name.Ne("ann"), func(p *forms.Person) bool { return isText(p) && p.Name != "ann" }},
		{forms.PersonFields.Name.In("ann", "bo"), func(p *forms.Person) bool { return p.Name == "ann" || p.Name == "bo" }},
		{forms.PersonFields.Name.EqualFold("ANN"), func(p *forms.Person) bool { return strings.EqualFold(p.Name, "ann") }},
		{forms.PersonFields.Name.StartsWith("A"), func(p *forms.Person) bool { return strings.HasPrefix(p.Name, "A") }},
		{forms.PersonFields.Name.Contains("n"), func(p *forms.Person) bool { return strings.Contains(p.Name, "n") }},
		{forms.PersonFields.Name.EndsWith("o"), func(p *forms.Person) bool { return strings.HasSuffix(p.Name, "o") }},
		{repository.IsDefined(forms.PersonFields.Name), func(p *forms.Person) bool { _, ok := newest(p, "name", "fullName", "display"); return ok }},
		{repository.IsNull(forms.PersonFields.Name), func(p *forms.Person) bool { v, ok := newest(p, "name", "fullName", "display"); return ok && v == nil }},
		{forms.PersonFields.Age.Eq(3), func(p *forms.Person) bool { return p.Age == 3 }},
		{forms.PersonFields.Age.Eq(0), func(p *forms.Person) bool { return counts(p) && p.Age == 0 }},
		{forms.PersonFields.Age.Ne(3), func(p *forms.Person) bool { return counts(p) && p.Age != 3 }},
		{forms.PersonFields.Age.In(0, 7), func(p *forms.Person) bool { return counts(p) && (p.Age == 0 || p.Age == 7) }},
		{repository.IsNull(forms.PersonFields.Home), func(p *forms.Person) bool { v, ok := newest(p, "home", "address"); return ok && v == nil }},
		{forms.PersonFields.Home.City.Eq("Rome"), func(p *forms.Person) bool { return p.Home != nil && p.Home.City == "Rome" }},
		{forms.PersonFields.Home.City.Ne("Rome"), func(p *forms.Person) bool { return p.Home != nil && p.Home.City != "Rome" }},
		{forms.PersonFields.Home.Rank.Eq(0), func(p *forms.Person) bool { return p.Home != nil && p.Home.Rank == 0 }},
		{forms.PersonFields.Counts.Key("a").Eq(1), func(p *forms.Person) bool { return p.Counts["a"] == 1 }},
		{forms.PersonFields.Tags.Contains("x"), func(p *forms.Person) bool { return slices.Contains(p.Tags, "x") }},
		{forms.PersonFields.Tags.IsEmpty(), func(p *forms.Person) bool { return len(p.Tags) == 0 }},
	}
	for _, r := range slices.Clone(rules) {
		rules = append(rules,
			rule{repository.Not(r.predicate), func(p *forms.Person) bool { return !r.holds(p) }},
			rule{repository.Not(repository.And(r.predicate, forms.PersonFields.Age.Ne(7))), func(p *forms.Person) bool { return !r.holds(p) || !counts(p) || p.Age == 7 }},
		)
	}
	for _, r := range rules {
		var want, got []string
		for _, p := range docs {
			if r.holds(p) {
				want = append(want, p.ID)
			}
		}
		for p, err := range people.Scan().Where(r.predicate).All(ctx) {
			if err != nil {
				t.Fatalf("%s: %v", r.predicate, err)
			}
			got = append(got, p.ID)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", r.predicate, got, want)
		}
	}
}

// TestAliasesAreRefused asks for what the service cannot do with two names.
func TestAliasesAreRefused(t *testing.T) {
	t.Parallel()
	_, people := newPeople(t)
	ctx := context.Background()
	all := people.Scan()
	fullAge := documents.Number[forms.Person, int]("?<years/age") // generated fields have no such methods
	fullName := documents.String[forms.Person, string]("<fullName<display/name")
	collect := func(q repository.Query[forms.Person]) error { _, err := q.Collect(ctx); return err }
	_, sum := repository.Sum(ctx, all, fullAge)
	_, _, avg := repository.Avg(ctx, all, fullAge)
	_, _, least := repository.Min(ctx, all, fullAge)
	_, values := repository.Values(all, fullName).Collect(ctx)
	_, page := all.OrderBy(fullName.Asc()).Page(ctx, "", 2)
	type group struct {
		Name string `json:"name"`
	}
	_, grouped := repository.GroupBy[group](all, fullName).Collect(ctx)
	for what, err := range map[string]error{
		"GroupBy": grouped,
		"Lt":      collect(all.Where(fullAge.Lt(3))), "Between": collect(all.Where(fullAge.Between(1, 2))), "Ge": collect(all.Where(repository.Not(fullAge.Ge(3)))),
		"order": collect(all.OrderBy(fullName.Desc())), "page": page, "Sum": sum, "Avg": avg, "Min": least, "Values": values,
	} {
		if err == nil || !strings.Contains(err.Error(), "remove was= from its tag") || strings.Contains(err.Error(), "fullName") {
			t.Errorf("%s: %v", what, err)
		}
	}
	age := repository.PatchNumber[forms.Person, int]("<years/age")
	city := repository.PatchValue[forms.Person, string]("<address/home/city")
	for _, o := range []repository.PatchOperation[forms.Person]{
		age.Increment(1), age.Replace(2), city.Set("Rome"),
		repository.PatchList[forms.Person, string]("<labels/tags").Append("x"),
		repository.PatchMap[forms.Person, int, repository.PatchNumber[forms.Person, int]]("<numbers/counts").Key("a").Set(1),
	} {
		if err := people.Patch(ctx, forms.PersonKey{ID: "1", Key: "k"}, o); err == nil || errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), "old documents have") {
			t.Errorf("%s: %v", o, err)
		}
	}
}

// TestAliasesInSelect reads parts of documents of all releases.
func TestAliasesInSelect(t *testing.T) {
	t.Parallel()
	container, people := newPeople(t)
	ctx := context.Background()
	for i, properties := range []map[string]any{{"name": "n0"}, {"fullName": "n1", "display": "older"}, {"display": "n2"}, {"name": "n3", "fullName": "old"}} {
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("k"), rawPerson(fmt.Sprint(i), properties), nil); err != nil {
			t.Fatal(err)
		}
	}
	type part struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	type old struct {
		ID   string  `json:"id"`
		Name *string `json:"fullName"`
	}
	rows, err := repository.Select[part](people.Scan()).Collect(ctx)
	for _, row := range rows {
		if row.Name != "n"+row.ID {
			t.Errorf("%+v", row)
		}
	}
	if err != nil || len(rows) != 4 {
		t.Errorf("%v, %v", rows, err)
	}
	raw, err := repository.Select[old](people.Scan()).Collect(ctx) // who asks for the old name gets it
	for _, row := range raw {
		if has := row.Name != nil; has != (row.ID == "1" || row.ID == "3") {
			t.Errorf("%+v", row)
		}
	}
	if err != nil || len(raw) != 4 {
		t.Errorf("%v, %v", raw, err)
	}
}

// unless returns nil for an error that matches the one expected, and an error otherwise.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return fmt.Errorf("got %w, want %w", err, expected)
}

// TestAliasesOfTwoReleases writes documents by two releases in turn, in every way, and
// reads them by both. No write leaves a document with both names.
func TestAliasesOfTwoReleases(t *testing.T) {
	t.Parallel()
	container, now := newPeople(t)
	before := repository.New(container, forms.PersonBeforeModel)
	patchNow := forms.PersonPatch.Name
	patchBefore := forms.PersonBeforePatch.Name
	ctx := context.Background()
	random := rand.New(rand.NewPCG(3, 4))
	model := map[string]string{}
	for step := range 300 {
		id, name := fmt.Sprint(random.IntN(6)), fmt.Sprint("name", step)
		key := forms.PersonKey{ID: id, Key: "k"}
		_, stored := model[id]
		wrong := repository.ErrNotFound // of what needs a document
		var err error
		switch random.IntN(9) {
		case 0:
			wrong, err = nil, now.Upsert(ctx, &forms.Person{ID: id, Key: "k", Name: name})
		case 1:
			wrong, err = nil, before.Upsert(ctx, &forms.PersonBefore{ID: id, Key: "k", Name: name})
		case 2:
			err = now.Update(ctx, key, func(p *forms.Person) error { p.Name = name; return nil })
		case 3:
			err = before.Update(ctx, forms.PersonBeforeKey(key), func(p *forms.PersonBefore) error { p.Name = name; return nil })
		case 4:
			err = now.Patch(ctx, key, patchNow.Set(name))
		case 5:
			err = before.Patch(ctx, forms.PersonBeforeKey(key), patchBefore.Set(name))
		case 6:
			if err = now.PatchIf(ctx, key, forms.PersonFields.Name.Eq(model[id]), patchNow.Set(name)); stored && model[id] == "" {
				name, err = "", unless(err, repository.ErrPreconditionFailed) // it was removed
			}
		case 7:
			name, err = "", now.Patch(ctx, key, patchNow.Remove())
		case 8:
			name, err = "", before.Patch(ctx, forms.PersonBeforeKey(key), patchBefore.Remove())
		}
		if stored {
			wrong = nil
		}
		if !errors.Is(err, wrong) {
			t.Fatalf("step %d: %v, want %v", step, err, wrong)
		}
		if err == nil {
			model[id] = name
		}
		if _, stored = model[id]; !stored {
			continue
		}
		a, errA := now.Get(ctx, key)
		b, errB := before.Get(ctx, forms.PersonBeforeKey(key))
		if errA != nil || errB != nil || a.Name != model[id] || b.Name != model[id] {
			t.Fatalf("step %d: %+v, %+v, %v, %v; want %s", step, a, b, errA, errB, model[id])
		}
		raw := storedPerson(t, container, id)
		_, hasNew := raw["name"]
		_, hasOld := raw["fullName"]
		if hasNew && hasOld {
			t.Fatalf("step %d: both names in %v", step, raw)
		}
		n, err := now.Scan().Where(forms.PersonFields.Name.Eq(model[id])).Count(ctx)
		if model[id] != "" && (err != nil || n != 1) {
			t.Fatalf("step %d: %d documents, %v", step, n, err)
		}
	}
}
