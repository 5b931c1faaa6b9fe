package provision

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// draftOf is a model whose layout is a draft.
func draftOf(model generated.Model[kit.Thing, kit.ThingKey]) *generated.Model[kit.Thing, kit.ThingKey] {
	model.Draft = true
	return &model
}

// faraway is an account on another machine: it answers where its data is, and
// notes all other requests.
type faraway struct {
	data   string // endpoint of its region
	status int    // of its answers; 0 is 400, which nobody sends again

	mu    sync.Mutex
	asked []string
}

func (a *faraway) Do(r *http.Request) (*http.Response, error) {
	body := `{"writableLocations":[{"name":"here","databaseAccountEndpoint":"` + a.data + `"}],` +
		`"readableLocations":[{"name":"here","databaseAccountEndpoint":"` + a.data + `"}],"enableMultipleWriteLocations":false}`
	status := http.StatusOK
	if r.URL.Path != "" && r.URL.Path != "/" {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.asked = append(a.asked, r.Method+" "+r.URL.String())
		body, status = `{"id":"things","_rid":"x"}`, cmp.Or(a.status, http.StatusBadRequest)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewBufferString(body)), Request: r}, nil
}

// on returns a database of an account at endpoint, by a client with options.
func (a *faraway) on(t *testing.T, endpoint string, configure func(*azcosmos.ClientOptions) *azcosmos.ClientOptions) *azcosmos.DatabaseClient {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential("c2VjcmV0")
	if err != nil {
		t.Fatal(err)
	}
	options := &azcosmos.ClientOptions{}
	options.Transport = a
	options.Retry = policy.RetryOptions{MaxRetries: 2, RetryDelay: 1}
	client, err := azcosmos.NewClientWithKey(endpoint, credential, configure(options))
	if err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// draftsOn is a repository of a draft on an account at endpoint.
func draftsOn(t *testing.T, a *faraway, endpoint string, model *generated.Model[kit.Thing, kit.ThingKey]) *repository.Documents[kit.Thing, kit.ThingKey] {
	t.Helper()
	container, err := a.on(t, endpoint, repository.Configure).NewContainer("things")
	if err != nil {
		t.Fatal(err)
	}
	return repository.New(container, model)
}

// draftOperations are all that sends requests for documents.
var draftOperations = map[string]func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error{
	"Create": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Create(ctx, &kit.Thing{ID: "a", Base: "b"})
	},
	"Upsert": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Upsert(ctx, &kit.Thing{ID: "a", Base: "b"})
	},
	"Replace": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Replace(ctx, &kit.Thing{ID: "a", Base: "b"})
	},
	"Delete": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Delete(ctx, kit.ThingKey{ID: "a", Base: "b"})
	},
	"Get": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.Get(ctx, kit.ThingKey{ID: "a", Base: "b"})
		return err
	},
	"GetMany": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.GetMany(ctx, []kit.ThingKey{{ID: "a", Base: "b"}, {ID: "c", Base: "d"}})
		return err
	},
	"Update": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Update(ctx, kit.ThingKey{ID: "a", Base: "b"}, func(*kit.Thing) error { return nil })
	},
	"Patch": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Patch(ctx, kit.ThingKey{ID: "a", Base: "b"}, repository.PatchNumber[kit.Thing, int]("/n").Set(1))
	},
	"Move": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		return d.Move(ctx, kit.ThingKey{ID: "a", Base: "b"}, &kit.Thing{ID: "a", Base: "c"})
	},
	"Scan": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.Scan().Collect(ctx)
		return err
	},
	"Count": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.Scan().Count(ctx)
		return err
	},
	"Page": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.Scan().Page(ctx, "", 10)
		return err
	},
	"Buckets": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := repository.NewQuery(d, generated.Buckets(kit.ThingBuckets, kit.ThingKey{Base: "b"}.Bucket)).Collect(ctx)
		return err
	},
	"Changes": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		for _, err := range feed.Changes(ctx, d, feed.FromBeginning()) {
			return err
		}
		return nil
	},
	"CreateAll": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.CreateAll(documents.Sequence(func(yield func(*kit.Thing) bool) { yield(&kit.Thing{ID: "a", Base: "b"}) })).Collect(ctx)
		return err
	},
	"DeleteFound": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.DeleteFound(d.Scan()).Collect(ctx)
		return err
	},
	"Transaction": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		tx := repository.NewTransaction()
		if err := d.In(tx).Create(&kit.Thing{ID: "a", Base: "b"}); err != nil {
			return err
		}
		return tx.Commit(ctx)
	},
	"Session": func(ctx context.Context, d *repository.Documents[kit.Thing, kit.ThingKey]) error {
		_, err := d.Get(repository.WithSession(ctx, &repository.Session{}), kit.ThingKey{ID: "a", Base: "b"})
		return err
	},
}

// TestDraftStaysHere runs all operations of a draft on an account elsewhere, and
// expects an error with the command that seals it, and no request.
func TestDraftStaysHere(t *testing.T) {
	for _, where := range []struct{ name, endpoint, data string }{
		{"configured", "https://account.documents.azure.com:443/", "https://account-region.documents.azure.com:443/"},
		{"under a name of this machine", "https://localhost:8081/", "https://account-region.documents.azure.com:443/"},
	} {
		for name, operation := range draftOperations {
			t.Run(where.name+"/"+name, func(t *testing.T) {
				a := &faraway{data: where.data}
				d := draftsOn(t, a, where.endpoint, draftOf(kit.ThingModel))
				err := operation(t.Context(), d)
				if !errors.Is(err, repository.ErrDraft) || errors.Is(err, repository.ErrUnclear) {
					t.Fatalf("got %v", err)
				}
				if !strings.Contains(err.Error(), "run go tool pkgen seal -type Thing github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit") &&
					!strings.Contains(err.Error(), "run go tool pkgen seal -type Thing ./...") {
					t.Errorf("no command in %v", err)
				}
				if len(a.asked) > 0 {
					t.Errorf("sent %q", a.asked)
				}
				sealed := draftsOn(t, a, where.endpoint, &kit.ThingModel)
				if err := operation(t.Context(), sealed); errors.Is(err, repository.ErrDraft) || len(a.asked) == 0 {
					t.Errorf("a sealed layout is refused: %v", err)
				}
			})
		}
	}
}

// TestEnsureOfADraftStaysHere makes no container for a draft on an account
// elsewhere, whether the client was made with Configure or not. The client stays
// the same for other types.
func TestEnsureOfADraftStaysHere(t *testing.T) {
	plain := func(o *azcosmos.ClientOptions) *azcosmos.ClientOptions { return o }
	want := harness.Properties("things", "/pk")
	for _, where := range []struct {
		name, endpoint, data string
		configure            func(*azcosmos.ClientOptions) *azcosmos.ClientOptions
		status, reads        int
	}{
		{"configured", "https://account.documents.azure.com:443/", "https://account-region.documents.azure.com:443/", repository.Configure, 404, 0},
		{"missing", "https://account.documents.azure.com:443/", "https://account-region.documents.azure.com:443/", plain, 404, 1},
		{"no answer", "https://account.documents.azure.com:443/", "https://account-region.documents.azure.com:443/", plain, 400, 1},
		{"under a name of this machine", "https://localhost:8081/", "https://account-region.documents.azure.com:443/", plain, 404, 1},
	} {
		t.Run(where.name, func(t *testing.T) {
			a := &faraway{data: where.data, status: where.status}
			db := a.on(t, where.endpoint, where.configure)
			_, err := admin.EnsureDraft[kit.Thing](t.Context(), db, want, admin.Manual(400), admin.FixDifferences())
			if !errors.Is(err, repository.ErrDraft) || !strings.Contains(err.Error(), "run go tool pkgen seal -type Thing ") {
				t.Errorf("got %v", err)
			}
			asked := len(a.asked)
			if asked != where.reads || where.reads > 0 && !strings.HasPrefix(a.asked[0], "GET ") {
				t.Errorf("sent %q", a.asked)
			}
			if _, err = admin.Ensure(t.Context(), db, want, admin.Manual(400)); errors.Is(err, repository.ErrDraft) || len(a.asked) == asked {
				t.Errorf("a sealed layout is refused: %v", err)
			}
		})
	}
}

// TestDraftOnThisMachine uses a draft on the emulator.
func TestDraftOnThisMachine(t *testing.T) {
	properties := harness.Properties("things", "/pk")
	server, container := harness.NewContainer(t, emulator.Options{}, properties, repository.Configure(nil))
	d := repository.New(container, draftOf(kit.ThingModel))
	for _, options := range []*azcosmos.ClientOptions{nil, repository.Configure(nil)} {
		db := server.Database(options)
		properties.ID += "-more"
		if _, err := admin.EnsureDraft[kit.Thing](t.Context(), db, properties, admin.Manual(400)); err != nil {
			t.Error(err)
		}
	}
	if err := d.Create(t.Context(), &kit.Thing{ID: "a", Base: "b"}); err != nil {
		t.Fatal(err)
	}
	if n, err := d.Scan().Count(t.Context()); err != nil || n != 1 {
		t.Errorf("got %d, %v", n, err)
	}
}

// TestDraftOfTenantsStaysHere asks no directory of an account elsewhere where a tenant
// lives, since a draft's request would not go there anyway.
func TestDraftOfTenantsStaysHere(t *testing.T) {
	draft := *fixtures.BidModel
	draft.Draft = true
	for name, operation := range map[string]func(context.Context, *kit.Bids) error{
		"Create": func(ctx context.Context, d *kit.Bids) error {
			return d.Create(ctx, kit.BidOf("a", 1))
		},
		"Get": func(ctx context.Context, d *kit.Bids) error {
			_, err := d.Get(ctx, kit.BidKeyOf("a"))
			return err
		},
		"Collect": func(ctx context.Context, d *kit.Bids) error {
			_, err := d.Scan().Collect(ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			const endpoint = "https://account.documents.azure.com:443/"
			a := &faraway{data: endpoint}
			db := a.on(t, endpoint, repository.Configure)
			container, err := db.NewContainer("directory")
			if err != nil {
				t.Fatal(err)
			}
			directory := tenancy.NewTenantDirectory(container)
			if err := operation(t.Context(), kit.BidsOfModel(db, &draft, directory)); !errors.Is(err, repository.ErrDraft) {
				t.Errorf("got %v", err)
			}
			if len(a.asked) > 0 {
				t.Errorf("sent %q", a.asked)
			}
			if err := operation(t.Context(), kit.BidsOf(db, directory)); errors.Is(err, repository.ErrDraft) || len(a.asked) == 0 {
				t.Errorf("a sealed layout is refused: %v", err)
			}
		})
	}
}

// TestDraftOfAnIndexStaysHere reads the index of a draft on another machine: nothing is sent.
func TestDraftOfAnIndexStaysHere(t *testing.T) {
	t.Parallel()
	const endpoint = "https://far.documents.azure.com:443/"
	a := &faraway{data: endpoint}
	container, err := a.on(t, endpoint, repository.Configure).NewContainer("things-by-base")
	if err != nil {
		t.Fatal(err)
	}
	x := repository.NewIndex(container, &generated.Index[kit.Thing, kit.Thing, kit.ThingKey]{
		Type: "thingByBase", Source: draftOf(kit.ThingModel), Path: "/base",
		Entry: func(x *kit.Thing) *kit.Thing { return x },
		Key:   kit.ThingModel.Key,
	})
	if _, err := x.Scan().Collect(t.Context()); !errors.Is(err, repository.ErrDraft) || len(a.asked) > 0 {
		t.Errorf("%v, %v", err, a.asked)
	}
}
