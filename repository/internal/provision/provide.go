package provision

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// provide gives the container the throughput that is wanted. Each change is made on
// condition that the throughput is what was read before, if the client has the policies:
// programs that want the same change it once.
//
// Another kind takes two changes, since the service chooses the amount at the first. If it
// does not allow the second, the container keeps the kind and gets the least amount that
// is allowed. The error is a *DifferencesError then.
func (e *Container) provide(ctx context.Context, have provisioned) error {
	if e.Throughput.own() && have.Mode != e.Throughput.Mode {
		return e.switchKind(ctx, have)
	}
	units := e.Throughput.units
	if e.Throughput.Mode == leastMode {
		units = have.least
	}
	return e.replaceThroughput(ctx, wire.OfferChange{Unchanged: have.etag}, have.changed(units))
}

// switchKind changes manual throughput to autoscale, or back.
func (e *Container) switchKind(ctx context.Context, from provisioned) error {
	change := wire.OfferChange{
		Unchanged:   from.etag,
		ToAutoscale: e.Throughput.Mode == AutoscaleMode,
		ToManual:    e.Throughput.Mode == ManualMode,
	}
	if err := e.replaceThroughput(ctx, change, wire.ThroughputProperties{}); err != nil {
		return err
	}
	reached, err := e.readThroughput(ctx) // its least is not that of the other kind
	if err != nil {
		return err
	}
	if reached.Mode != e.Throughput.Mode {
		return e.because(errOvertaken, errOvertaken)
	}
	differs := reached.difference(e.Throughput)
	if differs == nil {
		return nil
	}
	units := e.Throughput.units
	if !differs.Fixable {
		units = reached.least
	}
	if !reached.pending && units < reached.units || differs.Fixable {
		err = e.replaceThroughput(ctx, wire.OfferChange{Unchanged: reached.etag}, reached.changed(units))
		if errors.Is(err, errOvertaken) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if err == nil {
			reached.units = units
		}
	}
	if reached.meets(e.Throughput) {
		return nil
	}
	return e.halfway(from, reached, differs, err)
}

// halfway returns the error about throughput of the wanted kind, of which the service does
// not give the wanted amount. The error of a request may be nil.
func (e *Container) halfway(from, reached provisioned, differs *difference, err error) error {
	differs.Have, differs.Changed, differs.Fixable = reached.String(), true, err != nil
	if err != nil {
		differs.Why = "the request for the amount failed: ensure it again"
	}
	differs.Why = fmt.Sprintf("it was changed from %v; %s", from, differs.Why)
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: []difference{*differs}, Err: err}
}

// replaceThroughput sends a change. The error is errOvertaken if the throughput, or the
// container, is no longer what was read.
func (e *Container) replaceThroughput(ctx context.Context, change wire.OfferChange, p wire.ThroughputProperties) error {
	response, err := change.Replace(ctx, e.client, p)
	switch status := wire.StatusOf(err); {
	case err == nil:
		e.Did.Changed, e.Did.Has = true, newProvisioned(response).Throughput
		return nil
	case errors.Is(err, route.ErrNotConfigured):
		return e.Failure(fmt.Errorf("changing between manual and autoscale throughput takes a policy: %w", err))
	case status == http.StatusPreconditionFailed || status == http.StatusNotFound:
		return e.because(errOvertaken, err)
	case quota(err) != nil:
		return e.because(quota(err), err)
	case status == http.StatusBadRequest && (change.ToAutoscale || change.ToManual) && e.hasKind(ctx):
		return e.because(errOvertaken, err)
	default:
		return e.unclear(err)
	}
}

// hasKind reports whether another program has changed the kind of throughput to the wanted
// one, which the service refuses to do again.
func (e *Container) hasKind(ctx context.Context) bool {
	have, err := e.readThroughput(ctx)
	return err == nil && e.Throughput.own() && have.Mode == e.Throughput.Mode
}

// Ensure creates the container, or compares it with what is wanted, and removes
// differences if Apply is set and all of them can be removed. The error is an
// *documents.Error, or a *DifferencesError.
func (e *Container) Ensure(ctx context.Context) (*wire.Client, error) {
	if e.DB == nil {
		return nil, e.Failure(errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the container's"))
	}
	if err := e.check(); err != nil {
		return nil, e.Failure(err)
	}
	var err error
	if e.client, err = e.DB.NewContainer(e.Want.ID); err != nil {
		return nil, e.Failure(err)
	}
	ctx, e.extras = wire.WithContainerExtras(ctx)
	if len(e.Relies) > 0 {
		ctx = wire.Relying(ctx, e.Relies[0])
	}
	for attempt := 1; ; attempt++ {
		err := e.settle(ctx)
		if err == nil && e.Index != nil {
			err = e.built(ctx)
		}
		wait, again := attempt, errors.Is(err, errOvertaken) && attempt < backoff.MaxAttempts
		if errors.Is(err, wire.ErrUnclear) {
			wait, again = wire.UnclearPause+attempt, attempt <= wire.MaxResends
		}
		switch {
		case err == nil:
			return e.client, nil
		case !again:
			return nil, err
		}
		if ended := backoff.Pause(ctx, wait); ended != nil {
			return nil, errors.Join(err, ended)
		}
	}
}

// errOvertaken says that others created, changed or deleted the container
// between two requests.
var errOvertaken = errors.New("other programs keep changing the container: try again later")

// Container is a container as it is wanted. It is for one call of Ensure.
type Container struct {
	DB         *wire.Database
	client     *wire.Client
	Want       *wire.ContainerProperties
	Throughput Throughput
	Apply      bool
	Draft      string // the command that seals the layout of a draft; "" for others

	// ApplyThroughput changes the throughput, if nothing else differs. Apply does so too.
	ApplyThroughput bool

	// Did is what Ensure has found and done.
	Did Did

	// Index is what the container is an index of, nil for other containers. WaitForIndex waits
	// until the index has been built.
	Index        *containers.Index
	WaitForIndex bool
	extras       *wire.ContainerExtras
	is           *containers.Index // what the container was when it was read, nil if it was not

	// Computed are the computed properties that the container has at least. SameQuery reports
	// whether two queries compute the same; it is nil without such properties.
	Computed  []containers.ComputedProperty
	SameQuery func(a, b string) bool

	// Relies is what of the container relies on one write region. Ensure does nothing in an
	// account with several, and the error names the first.
	Relies []*writeregions.Use

	// Accepts reports whether a container may have this value of a property where
	// another is wanted. Nil accepts none.
	Accepts func(property, have string) bool
}

// Did is what a call of Ensure has done to a container.
type Did struct {
	Created, Changed bool

	// Had is the throughput that the container had, and Has what it has now, if Ensure
	// has read it. Of a container that was created, Has is what was asked for.
	Had, Has Throughput
}

// check refuses definitions that the service would refuse, or read in another way
// than they are meant.
func (e *Container) check() error {
	if len(e.Want.PartitionKeyDefinition.Paths) == 0 {
		return errors.New("the wanted container has no partition key: give it paths, a kind and version 2")
	}
	for _, path := range e.Want.PartitionKeyDefinition.Paths {
		if len(containers.Names(path)) == 0 {
			return fmt.Errorf("the partition key path %q names no property: begin it with a slash", path)
		}
	}
	if ttl := e.Want.DefaultTimeToLive; ttl != nil && (*ttl == 0 || *ttl < -1) {
		return fmt.Errorf("a default time to live of %d is not possible: use nil, -1 or a positive number of seconds", *ttl)
	}
	if p := e.Want.IndexingPolicy; p != nil && !p.Automatic && !strings.EqualFold(string(p.IndexingMode), string(wire.IndexingModeNone)) {
		return errors.New("the wanted indexing policy indexes nothing by itself: set Automatic, or the mode none")
	}
	return cmp.Or(e.checkIndex(), e.Throughput.check())
}

// settle makes one attempt. The error is errOvertaken if another one is due.
func (e *Container) settle(ctx context.Context) error {
	have, err := e.read(ctx)
	if leaving := e.leaving(have, err); leaving != nil {
		return e.Failure(leaving)
	}
	if wire.StatusOf(err) == http.StatusNotFound {
		return e.create(ctx)
	}
	if err != nil {
		return e.Failure(err)
	}
	provided, err := e.readThroughput(ctx)
	if err != nil {
		return err
	}
	if provided.Mode == Shared && e.Throughput.own() {
		if err := e.unchanged(ctx, have); err != nil {
			return err
		}
	}
	if e.Did.Had == (Throughput{}) {
		e.Did.Had = provided.Throughput
	}
	e.Did.Has = provided.Throughput
	found, err := e.compare(have)
	if err != nil {
		return e.Failure(err)
	}
	found = slices.DeleteFunc(found, func(f containers.Finding) bool {
		return e.Accepts != nil && e.Accepts(f.Property, f.Have)
	})
	var dropped []string
	if len(found) > 0 {
		if dropped, err = droppedBy(have); err != nil {
			return e.Failure(err)
		}
		if e.extras.Seen() { // the policy sends them
			dropped = slices.DeleteFunc(dropped, func(name string) bool { return name == computedProperties })
		}
	}
	differences := e.differences(found, dropped)
	costs := provided.difference(e.Throughput)
	if costs != nil {
		differences = append(differences, *costs)
	}
	if !e.Apply && (!e.ApplyThroughput || len(found) > 0) || slices.ContainsFunc(differences, func(d difference) bool { return !d.Fixable }) {
		return e.unlike(differences)
	}
	if len(found) > 0 {
		if err := e.replace(ctx, have, found); err != nil {
			return err
		}
		e.Did.Changed = true
	}
	if costs != nil {
		return e.provide(ctx, provided)
	}
	return nil
}

// differences are those of findings that change the container's properties.
// None can be fixed where that would drop something.
func (e *Container) differences(found []containers.Finding, dropped []string) []difference {
	var list []difference
	for _, f := range found {
		d := f.Difference
		d.Fixable = f.Fix != nil
		if d.Fixable && len(dropped) > 0 {
			d.Fixable = false
			d.Why = "azcosmos does not support " + strings.Join(dropped, ", ") + " and would drop that with the change: make it by az, Bicep or in the portal"
		}
		list = append(list, d)
	}
	return list
}

// unlike returns the error about differences, nil if there are none.
func (e *Container) unlike(differences []difference) error {
	if len(differences) == 0 {
		return nil
	}
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: differences}
}

// difference is a property in which a container is not as wanted.
type difference = containers.Difference

// DifferencesError says in which ways a container is not as wanted.
type DifferencesError struct {
	Database, Container string
	Differences         []difference
	Err                 error // of the request that ended a change halfway, nil if none did
}

// IsThroughput reports whether only the throughput differs, and can be changed.
func (e *DifferencesError) IsThroughput() bool {
	return len(e.Differences) == 1 && e.Differences[0].Property == "throughput" && e.Differences[0].Fixable
}

// Unwrap returns the failure of a request.
func (e *DifferencesError) Unwrap() error { return e.Err }

// Error names the container. The face says more.
func (e *DifferencesError) Error() string {
	return fmt.Sprintf("container %q of database %q is not as wanted", e.Container, e.Database)
}

// compare returns the differences of a container from what is wanted.
func (e *Container) compare(have wire.ContainerResponse) (found []containers.Finding, err error) {
	more, err := extrasOf(have)
	if err != nil {
		return nil, err
	}
	tuned(have.ContainerProperties, more)
	is, wanted := settingsOf(have.ContainerProperties), settingsOf(e.Want)
	wanted.Index, wanted.ComputedProperties, wanted.SameQuery = e.Index, e.Computed, e.SameQuery
	if e.Index != nil || e.Computed != nil {
		is.Index, is.ComputedProperties = more.IndexedBy(), more.ComputedProperties
		e.is = is.Index
	}
	return containers.Compare(is, wanted), nil
}

// computedProperties is the property of a container that has computed properties.
const computedProperties = "computedProperties"

// extrasOf returns what a container has that azcosmos does not know.
func extrasOf(response wire.ContainerResponse) (*containers.Properties, error) {
	body, err := runtime.Payload(response.RawResponse)
	if err != nil {
		return nil, err
	}
	var p containers.Properties
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// settingsOf returns the settings of a container that are compared.
func settingsOf(p *wire.ContainerProperties) *containers.Properties {
	s := &containers.Properties{
		PartitionKeyDefinition: containers.PartitionKeyDefinition{
			Paths: p.PartitionKeyDefinition.Paths, Kind: string(p.PartitionKeyDefinition.Kind), Version: p.PartitionKeyDefinition.Version,
		},
		DefaultTimeToLive: p.DefaultTimeToLive,
	}
	if policy := p.IndexingPolicy; policy != nil {
		s.IndexingPolicy = &containers.IndexingPolicy{
			Automatic: policy.Automatic, IndexingMode: string(policy.IndexingMode),
			IncludedPaths:   each(policy.IncludedPaths, func(x wire.IncludedPath) containers.Path { return containers.Path(x) }),
			ExcludedPaths:   each(policy.ExcludedPaths, func(x wire.ExcludedPath) containers.Path { return containers.Path(x) }),
			FullTextIndexes: each(policy.FullTextIndexes, func(x wire.FullTextIndex) containers.Path { return containers.Path(x) }),
			VectorIndexes: each(policy.VectorIndexes, func(x wire.VectorIndex) containers.VectorIndex {
				return containers.TypeOf(x.Path, string(x.Type))
			}),
			CompositeIndexes: each(policy.CompositeIndexes, func(index []wire.CompositeIndex) []containers.CompositeIndex {
				return each(index, func(x wire.CompositeIndex) containers.CompositeIndex {
					return containers.CompositeIndex{Path: x.Path, Order: string(x.Order)}
				})
			}),
		}
	}
	if p.UniqueKeyPolicy != nil {
		s.UniqueKeyPolicy = &containers.UniqueKeyPolicy{UniqueKeys: each(p.UniqueKeyPolicy.UniqueKeys, func(x wire.UniqueKey) containers.UniqueKey {
			return containers.UniqueKey(x)
		})}
	}
	if c := p.ConflictResolutionPolicy; c != nil {
		s.ConflictPolicy = &containers.ConflictPolicy{Mode: string(c.Mode), Path: c.ResolutionPath, Procedure: c.ResolutionProcedure}
	}
	if p.VectorEmbeddingPolicy != nil {
		s.VectorEmbeddingPolicy = &containers.VectorEmbeddingPolicy{VectorEmbeddings: each(p.VectorEmbeddingPolicy.VectorEmbeddings, func(x wire.VectorEmbedding) containers.VectorEmbedding {
			return containers.VectorEmbedding{Path: x.Path, DataType: string(x.DataType), DistanceFunction: string(x.DistanceFunction), Dimensions: x.Dimensions}
		})}
	}
	if p.FullTextPolicy != nil {
		s.FullTextPolicy = &containers.FullTextPolicy{
			DefaultLanguage: p.FullTextPolicy.DefaultLanguage,
			FullTextPaths:   each(p.FullTextPolicy.FullTextPaths, func(x wire.FullTextPath) containers.FullTextPath { return containers.FullTextPath(x) }),
		}
	}
	return s
}

// changed returns the properties of a container with the fixes of findings, and its computed
// properties, which are these before. It leaves have as it is. Fixes change the time to live, paths
// and indexes, full text, and computed properties.
func changed(have *wire.ContainerProperties, computed []containers.ComputedProperty, found []containers.Finding) (wire.ContainerProperties, []containers.ComputedProperty) {
	p := *have
	policy := wire.IndexingPolicy{
		Automatic: true, IndexingMode: wire.IndexingModeConsistent,
		IncludedPaths: []wire.IncludedPath{{Path: "/*"}},
		ExcludedPaths: []wire.ExcludedPath{{Path: `/"_etag"/?`}},
	}
	if have.IndexingPolicy != nil {
		policy = *have.IndexingPolicy
	}
	p.IndexingPolicy = &policy
	s := settingsOf(&p)
	s.ComputedProperties = computed
	for _, f := range found {
		if f.Fix != nil {
			f.Fix(s)
		}
	}
	p.DefaultTimeToLive = s.DefaultTimeToLive
	policy.IncludedPaths = each(s.IndexingPolicy.IncludedPaths, func(x containers.Path) wire.IncludedPath { return wire.IncludedPath(x) })
	policy.ExcludedPaths = each(s.IndexingPolicy.ExcludedPaths, func(x containers.Path) wire.ExcludedPath { return wire.ExcludedPath(x) })
	policy.FullTextIndexes = each(s.IndexingPolicy.FullTextIndexes, func(x containers.Path) wire.FullTextIndex { return wire.FullTextIndex(x) })
	policy.CompositeIndexes = each(s.IndexingPolicy.CompositeIndexes, func(index []containers.CompositeIndex) []wire.CompositeIndex {
		return each(index, func(x containers.CompositeIndex) wire.CompositeIndex {
			return wire.CompositeIndex{Path: x.Path, Order: wire.CompositeIndexOrder(x.Order)}
		})
	})
	if s.FullTextPolicy != nil {
		p.FullTextPolicy = &wire.FullTextPolicy{
			DefaultLanguage: s.FullTextPolicy.DefaultLanguage,
			FullTextPaths:   each(s.FullTextPolicy.FullTextPaths, func(x containers.FullTextPath) wire.FullTextPath { return wire.FullTextPath(x) }),
		}
	}
	return p, s.ComputedProperties
}

// each returns a list with each element made another one, nil for nil.
func each[A, B any](list []A, other func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = other(x)
	}
	return out
}

// droppedBy returns which properties of a container azcosmos would lose: it
// replaces a container by what its own type holds, so what that does not know is
// gone. System properties do not count, and nor do empty values and defaults.
func droppedBy(response wire.ContainerResponse) ([]string, error) {
	body, err := runtime.Payload(response.RawResponse)
	if err != nil {
		return nil, err
	}
	var stored, sent map[string]any
	if err := json.Unmarshal(body, &stored); err != nil {
		return nil, err
	}
	known, err := json.Marshal(response.ContainerProperties)
	if err == nil {
		known, err = wire.WithTunings(known)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(known, &sent); err != nil {
		return nil, err
	}
	var lost []string
	for name, value := range stored {
		if !strings.HasPrefix(name, "_") && !reflect.DeepEqual(value, unsentDefaults[name]) {
			lost = appendLost(lost, name, value, sent[name])
		}
	}
	slices.Sort(lost)
	return lost, nil
}

// unsentDefaults are the values of properties that azcosmos does not know, in
// containers where nobody has set them. The service takes a missing one for it.
var unsentDefaults = map[string]any{
	"geospatialConfig": map[string]any{"type": "Geography"},
	"backupPolicy":     map[string]any{"type": 1.0},
}

// appendLost appends the paths of what a value has and another does not.
func appendLost(lost []string, path string, stored, sent any) []string {
	switch stored := stored.(type) {
	case map[string]any:
		other, ok := sent.(map[string]any)
		if !ok && len(stored) > 0 {
			return append(lost, path)
		}
		for name, value := range stored {
			lost = appendLost(lost, path+"."+name, value, other[name])
		}
	case []any:
		other, _ := sent.([]any)
		if len(other) != len(stored) {
			return append(lost, path)
		}
		for i, value := range stored {
			lost = appendLost(lost, path+"["+strconv.Itoa(i)+"]", value, other[i])
		}
	default:
		empty := stored == nil || stored == "" || stored == false
		if !empty && stored != sent {
			return append(lost, path)
		}
	}
	return lost
}
