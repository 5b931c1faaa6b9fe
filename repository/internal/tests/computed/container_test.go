package computed

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/computed"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// propertiesOf reads what the service stores of a container, which azcosmos does not know.
func propertiesOf(t *testing.T, container *azcosmos.ContainerClient) *containers.Properties {
	t.Helper()
	response, err := container.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var p containers.Properties
	if err := json.NewDecoder(response.RawResponse.Body).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return &p
}

func namesOf(p *containers.Properties) string {
	var names []string
	for _, c := range p.ComputedProperties {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// with ensures the container of customers with other computed properties.
func with(t *testing.T, account *harness.Account, properties *generated.Computed, opts ...admin.EnsureOption) (*azcosmos.ContainerClient, error) {
	t.Helper()
	return admin.Ensure(t.Context(), account.DB, computed.CustomerContainer(), admin.AnyThroughput(), append(opts, admin.Computed(properties))...)
}

func TestEnsureCreates(t *testing.T) {
	t.Parallel()
	account, container := ensured(t, computed.EnsureCustomerContainer, 1)
	p := propertiesOf(t, container)
	if got := namesOf(p); got != "first initial lowerEmail many month total words" {
		t.Errorf("it has %s", got)
	}
	account.ResetRequests()
	if _, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput()); err != nil {
		t.Fatal(err)
	}
	if n := account.Sent(emulator.OpReplaceContainer); n != 0 {
		t.Errorf("replaced %d times", n)
	}
}

// A container that another release or another program has made gets what it lacks, and keeps the rest.
func TestEnsureAdds(t *testing.T) {
	t.Parallel()
	account := harness.New(t, emulator.Options{}, repository.Configure(nil))
	have := computed.CustomerModel.Computed.Properties
	old := &generated.Computed{Same: generated.SameQuery, Properties: []generated.ComputedProperty{
		{Name: "theirs", Query: "select value upper(root.email) from root"},
		{Name: "lowerEmail", Query: "SELECT  VALUE lower(root['email']) FROM root"},
	}}
	properties := computed.CustomerContainer()
	properties.IndexingPolicy = nil
	if _, err := admin.Ensure(t.Context(), account.DB, properties, admin.AnyThroughput(), admin.Computed(old)); err != nil {
		t.Fatal(err)
	}
	_, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput())
	var unlike *admin.ContainerError
	if !errors.As(err, &unlike) {
		t.Fatal(err)
	}
	missing := 0
	for _, d := range unlike.Differences {
		if d.Property == "computedProperties" {
			missing++
			if !d.Fixable {
				t.Errorf("%+v", d)
			}
		}
	}
	if missing != len(have)-1 {
		t.Errorf("%d of %d are missing: %v", missing, len(have)-1, err)
	}
	container, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput(), admin.FixDifferences())
	if err != nil {
		t.Fatal(err)
	}
	p := propertiesOf(t, container)
	if got := namesOf(p); got != "first initial lowerEmail many month theirs total words" {
		t.Errorf("it has %s", got)
	}
	for _, c := range p.ComputedProperties {
		if c.Name == "theirs" && c.Query != old.Properties[0].Query || c.Name == "lowerEmail" && c.Query != old.Properties[1].Query {
			t.Errorf("%+v", c)
		}
	}
	if _, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput()); err != nil {
		t.Error(err)
	}
	if _, err := computed.NewCustomerRepository(container).Scan().Where(f.LowerEmail.Eq("x")).OrderBy(f.Total.Asc()).Collect(t.Context()); err != nil {
		t.Error(err)
	}
}

// A program of a release before, which has none, leaves them where they are, also as it changes the
// container.
func TestEnsureKeepsThem(t *testing.T) {
	t.Parallel()
	account, container := ensured(t, computed.EnsureCustomerContainer, 1)
	before := computed.CustomerContainer()
	before.IndexingPolicy.CompositeIndexes = append(before.IndexingPolicy.CompositeIndexes, []azcosmos.CompositeIndex{
		{Path: "/email", Order: azcosmos.CompositeIndexAscending}, {Path: "/count", Order: azcosmos.CompositeIndexAscending},
	})
	account.ResetRequests()
	if _, err := admin.Ensure(t.Context(), account.DB, before, admin.AnyThroughput(), admin.FixDifferences()); err != nil {
		t.Fatal(err)
	}
	p := propertiesOf(t, container)
	if n := account.Sent(emulator.OpReplaceContainer); n != 1 || len(p.ComputedProperties) != 7 || len(p.IndexingPolicy.CompositeIndexes) != 2 {
		t.Errorf("%d replacements, %+v", n, p)
	}
}

func TestEnsureRefusesAnotherQuery(t *testing.T) {
	t.Parallel()
	account := harness.New(t, emulator.Options{}, repository.Configure(nil))
	if _, err := with(t, account, &generated.Computed{Same: generated.SameQuery, Properties: []generated.ComputedProperty{
		{Name: "lowerEmail", Query: "SELECT VALUE UPPER(c.email) FROM c"},
	}}); err != nil {
		t.Fatal(err)
	}
	container, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput(), admin.FixDifferences())
	var unlike *admin.ContainerError
	if !errors.As(err, &unlike) || !strings.Contains(err.Error(), "its index would keep the old values") {
		t.Fatalf("%v, %v", container, err)
	}
	// So do queries, before they are sent.
	container = account.Container("computed-customers", repository.Configure(nil))
	account.ResetRequests()
	_, err = computed.NewCustomerRepository(container).Scan().Where(f.LowerEmail.Eq("x")).Collect(t.Context())
	if err == nil || !strings.Contains(err.Error(), `computes the property lowerEmail by SELECT VALUE UPPER(c.email) FROM c, and the type by SELECT VALUE LOWER(c.email) FROM c`) {
		t.Error(err)
	}
	if n := account.Sent(emulator.OpQueryItems); n != 0 {
		t.Errorf("%d queries", n)
	}
}

// A client without the policy would create and replace the container without them.
func TestEnsureWithoutThePolicy(t *testing.T) {
	t.Parallel()
	account := harness.New(t, emulator.Options{}, nil)
	container, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput())
	if err == nil || !strings.Contains(err.Error(), "computed properties takes a policy") || container != nil {
		t.Errorf("%v, %v", container, err)
	}
	if n := account.Sent(emulator.OpCreateContainer); n != 0 {
		t.Errorf("%d containers were created", n)
	}
	plain := computed.CustomerContainer()
	plain.IndexingPolicy = nil
	account.Create(plain)
	if _, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput(), admin.FixDifferences()); err == nil || !strings.Contains(err.Error(), "computed properties takes a policy") {
		t.Error(err)
	}
}

// Each query that reads a property that the container lacks is an error before it is sent, and others
// are answered. The container is read once more for each, and no longer once it has all.
func TestQueriesOfMissingProperties(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	account := harness.New(t, emulator.Options{Partitions: 3}, repository.Configure(nil))
	plain := computed.CustomerContainer()
	plain.IndexingPolicy = nil
	r := computed.NewCustomerRepository(account.Create(plain))
	if err := r.Create(ctx, filled("a")); err != nil {
		t.Fatal(err)
	}
	if all, err := r.Scan().Where(f.Email.Eq("Ann@X.org")).OrderBy(f.Count.Asc()).Collect(ctx); err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	type row struct {
		ID    string  `json:"id"`
		Total float64 `json:"total"`
	}
	type group struct {
		Total float64 `json:"total"`
	}
	failing := map[string]func() error{
		"Collect": func() error { _, err := r.Scan().Where(f.LowerEmail.Eq("x")).Collect(ctx); return err },
		"order":   func() error { _, err := r.Scan().OrderBy(f.Total.Asc()).Collect(ctx); return err },
		"Page":    func() error { _, err := r.Scan().OrderBy(f.Total.Asc()).Page(ctx, "", 3); return err },
		"Count":   func() error { _, err := r.Scan().Where(f.Many.Eq(true)).Count(ctx); return err },
		"Exists":  func() error { _, err := r.Scan().Where(f.Many.Eq(true)).Exists(ctx); return err },
		"Select":  func() error { _, err := repository.Select[row](r.Scan()).Collect(ctx); return err },
		"Values":  func() error { _, err := repository.Values(r.Scan(), f.LowerEmail).Distinct().Collect(ctx); return err },
		"Sum":     func() error { _, err := repository.Sum(ctx, r.Scan(), f.Total); return err },
		"GroupBy": func() error { _, err := repository.GroupBy[group](r.Scan(), f.Total).Collect(ctx); return err },
		"WhereRaw": func() error {
			_, err := r.Scan().WhereRaw("c.words[0] = 'x'").Collect(ctx)
			return err
		},
		"partition": func() error { _, err := r.ByRegion("eu").Where(f.LowerEmail.Eq("x")).Collect(ctx); return err },
	}
	for name, query := range failing {
		account.ResetRequests()
		if err := query(); err == nil || !strings.Contains(err.Error(), "has no computed property") {
			t.Errorf("%s: %v", name, err)
		}
		if n := account.Sent(emulator.OpQueryItems); n != 0 {
			t.Errorf("%s: %d queries", name, n)
		}
	}
	if _, err := r.Scan().WhereRaw("c.lowerEmails = 'x' OR c.subtotal = 1").Collect(ctx); err != nil {
		t.Error(err)
	}
	if _, err := computed.EnsureCustomerContainer(ctx, account.DB, admin.AnyThroughput(), admin.FixDifferences()); err != nil {
		t.Fatal(err)
	}
	account.ResetRequests()
	var all sync.WaitGroup
	for range 4 {
		for name, query := range failing {
			all.Go(func() {
				if err := query(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	all.Wait()
	if n := account.Sent(emulator.OpReadContainer); n != 1 {
		t.Errorf("the container was read %d times", n)
	}
}

// TestQueriesOfMissingContainers reads months that have no documents, and so no container: a
// property that is missing there is no error.
func TestQueriesOfMissingContainers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	account := harness.New(t, emulator.Options{}, repository.Configure(nil))
	r := computed.NewTripRepository(account.DB)
	all, err := r.Scan().Where(computed.TripFields.Speed.Gt(1)).Collect(ctx)
	if err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	between, err := r.ScanBetween(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)).OrderBy(computed.TripFields.Speed.Asc()).Collect(ctx)
	if err != nil || len(between) != 0 {
		t.Errorf("%v, %v", between, err)
	}
}

// The windows of a type are ensured with them.
func TestWindowsAreEnsured(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	account := harness.New(t, emulator.Options{}, repository.Configure(nil))
	plain := computed.TripContainer(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	plain.IndexingPolicy = nil
	account.Create(plain)
	for _, opts := range [][]admin.EnsureOption{nil, {admin.FixDifferences()}} {
		_, err := computed.EnsureTripContainer(ctx, account.DB, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), admin.AnyThroughput(), opts...)
		if (err == nil) != (opts != nil) {
			t.Error(err)
		}
	}
	if got := namesOf(propertiesOf(t, account.Container(plain.ID, nil))); got != "speed" {
		t.Errorf("it has %s", got)
	}
	from, to := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC)
	list, err := computed.EnsureTripWindows(ctx, account.DB, from, to, admin.WindowPolicy{})
	if err != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	for month := 1; month <= 3; month++ {
		if got := namesOf(propertiesOf(t, account.Container(fmt.Sprintf("computed-trips-2025-%02d", month), nil))); got != "speed" {
			t.Errorf("month %d has %s", month, got)
		}
	}
}
