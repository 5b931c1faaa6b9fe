package shared

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A deed is a document of either of two types, grants and wills, which share a
// container and ids.
type (
	deed struct {
		ID     string `json:"id"`
		County string `json:"county"`
		Parish string `json:"parish"`
		Text   string `json:"text"`
		Stored string `json:"pk,omitempty"`
		ETag   string `json:"_etag,omitempty"`
	}
	deedKey struct {
		ID, County, Parish string
		Suffix             int
	}
)

const deedBuckets = 2

func (d *deed) key() deedKey {
	return deedKey{d.ID, d.County, d.Parish, partition.Suffix(d.Stored, ".", deedBuckets)}
}

func (k deedKey) text() string {
	if k.Suffix == 0 {
		return ""
	}
	return k.County + "." + strconv.Itoa(k.Suffix)
}

func (k deedKey) Validate() error { return partition.Check("deed", partition.ID(k.ID)) }

const deedText = repository.PatchValue[deed, string]("/text")

// deedLayouts are how the key of deeds may be made.
var deedLayouts = map[string]func(*generated.Model[deed, deedKey]){
	"natural": func(m *generated.Model[deed, deedKey]) {
		m.Path = "/county"
		m.Text = func(k deedKey) string { return k.County }
	},
	"hierarchical": func(m *generated.Model[deed, deedKey]) {
		m.Paths = []string{"/county", "/parish"}
		m.Values = func(k deedKey) []any { return []any{k.County, k.Parish} }
	},
	"random suffix": func(m *generated.Model[deed, deedKey]) {
		m.Path, m.Synthetic = "/pk", true
		m.Text = deedKey.text
		m.Stored = func(d *deed) *string { return &d.Stored }
		m.Random = &generated.Random[deedKey]{Buckets: deedBuckets, Suffix: func(k *deedKey) *int { return &k.Suffix }}
	},
}

// deedModel is the model of a type of deeds. A prefix other than "" promises ids
// that no other type has.
func deedModel(layout, typ, prefix string) *generated.Model[deed, deedKey] {
	// By hand: the same type has three layouts, and other ids or the same as another type.
	m := &generated.Model[deed, deedKey]{
		Type: typ, Prefix: prefix, Key: (*deed).key,
		ID:            func(k deedKey) string { return k.ID },
		ETag:          func(d *deed) *string { return &d.ETag },
		Discriminator: &generated.Discriminator{Property: "type", Value: typ},
	}
	if typ == "will" { // the one whose documents do not say what they are
		m.Discriminator = &generated.Discriminator{Property: "type", Others: []string{"grant"}}
	}
	deedLayouts[layout](m)
	return m
}

// registry is a container of grants and wills.
type registry struct {
	server    *harness.Account
	container *azcosmos.ContainerClient
	grants    *repository.Documents[deed, deedKey]
	wills     *repository.Documents[deed, deedKey]
}

// newRegistry is an empty registry.
func newRegistry(t testing.TB, layout, prefix string, options *azcosmos.ClientOptions) registry {
	t.Helper()
	model := deedModel(layout, "grant", prefix)
	paths, kind := []string{model.Path}, azcosmos.PartitionKeyKindHash
	if model.Paths != nil {
		paths, kind = model.Paths, azcosmos.PartitionKeyKindMultiHash
	}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, azcosmos.ContainerProperties{
		ID:                     "registry",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: kind, Paths: paths, Version: 2},
	}, options)

	return registry{server, container, repository.New(container, model), repository.New(container, deedModel(layout, "will", prefix))}
}

// newDeed is a deed of an id, whose partition is the same for all.
func newDeed(id, text string) *deed {
	return &deed{ID: id, County: "kent", Parish: "ash", Text: text, Stored: "kent.1"}
}

// raw returns all stored deeds of the one partition by their ids, whatever their
// types.
func (r registry) raw(t testing.TB) map[string]map[string]any {
	t.Helper()
	all, err := wholeContainer(context.Background(), r.container)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wholeContainer returns the documents of a container whose partition holds the test's
// documents, by their ids.
func wholeContainer(ctx context.Context, container *azcosmos.ContainerClient) (map[string]map[string]any, error) {
	stored, err := harness.Stored[map[string]any](ctx, container)
	all := map[string]map[string]any{}
	for _, doc := range stored {
		id, _ := doc["id"].(string)
		all[id] = doc
	}
	return all, err
}

// typeOf returns the type of a stored deed, or "".
func typeOf(doc map[string]any) string {
	switch {
	case doc == nil:
		return ""
	case doc["type"] == "grant":
		return "grant"
	}
	return "will"
}

// onlyOne returns the error of a bulk operation on one item.
func onlyOne[I any](outcomes func(func(documents.Outcome[I]) bool)) error {
	var err error
	for outcome := range outcomes {
		err = errors.Join(err, outcome.Err)
	}
	return err
}

// deedWrite is an operation of a repository on the deed of an id.
type deedWrite struct {
	name    string
	run     func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error
	creates bool // it stores a deed where there is none
	keeps   bool // it needs one that is there
	removes bool
}

// deedWrites are all operations that change what is stored.
var deedWrites = []deedWrite{
	{name: "Create", creates: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Create(ctx, d)
	}},
	{name: "Upsert", creates: true, keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Upsert(ctx, d)
	}},
	{name: "Replace", keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Replace(ctx, d)
	}},
	{name: "Replace with the ETag *", keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		d.ETag = "*"
		return r.Replace(ctx, d)
	}},
	{name: "Delete", removes: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Delete(ctx, d.key())
	}},
	{name: "Patch", keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Patch(ctx, d.key(), deedText.Set(d.Text))
	}},
	{name: "Update", keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return r.Update(ctx, d.key(), func(stored *deed) error { stored.Text = d.Text; return nil })
	}},
	{name: "UpsertAll", creates: true, keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return onlyOne(r.UpsertAll(documents.Items(d)).All(ctx))
	}},
	{name: "UpsertAll in batches", creates: true, keeps: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return onlyOne(r.UpsertAll(documents.Items(newDeed("b1", "other"), d, newDeed("b2", "other")), documents.InBatches()).All(ctx))
	}},
	{name: "CreateAll in batches", creates: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		err := onlyOne(r.CreateAll(documents.Items(newDeed("b1", "other"), d, newDeed("b2", "other")), documents.InBatches()).All(ctx))
		return errors.Join(err, onlyOne(r.DeleteAll(documents.Items(newDeed("b1", "").key(), newDeed("b2", "").key())).All(ctx)))
	}},
	{name: "DeleteAll", removes: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		return onlyOne(r.DeleteAll(documents.Items(d.key())).All(ctx))
	}},
	{name: "DeleteAll in batches", removes: true, run: func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		if err := onlyOne(r.UpsertAll(documents.Items(newDeed("b1", "other"), newDeed("b2", "other"))).All(ctx)); err != nil {
			return err
		}
		return onlyOne(r.DeleteAll(documents.Items(newDeed("b1", "").key(), d.key(), newDeed("b2", "").key()), documents.InBatches()).All(ctx))
	}},
	{name: "Create in a transaction", creates: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error { return tx.Create(d) })},
	{name: "Upsert in a transaction", creates: true, keeps: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error { return tx.Upsert(d) })},
	{name: "Replace in a transaction", keeps: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error { return tx.Replace(d) })},
	{name: "Delete in a transaction", removes: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error { return tx.Delete(d.key()) })},
	{name: "Patch in a transaction", keeps: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error {
		return tx.Patch(d.key(), deedText.Set(d.Text))
	})},
	{name: "two in a transaction", creates: true, keeps: true, run: inTransaction(func(tx repository.TransactionOf[deed, deedKey], d *deed) error {
		return errors.Join(tx.Upsert(newDeed("b1", "other")), tx.Upsert(d))
	})},
}

func inTransaction(add func(repository.TransactionOf[deed, deedKey], *deed) error) func(context.Context, *repository.Documents[deed, deedKey], *deed) error {
	return func(ctx context.Context, r *repository.Documents[deed, deedKey], d *deed) error {
		tx := repository.NewTransaction()
		if err := add(r.In(tx), d); err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
}

// inLayouts runs a test in containers of each layout.
func inLayouts(t *testing.T, test func(t *testing.T, layout string)) {
	t.Helper()
	for _, layout := range slices.Sorted(maps.Keys(deedLayouts))[seeds.Few(0, 2):] {
		t.Run(layout, func(t *testing.T) { test(t, layout) })
	}
}
