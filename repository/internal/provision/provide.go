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

// provide changes the throughput to the wanted one. If the client has the policies, each
// change is conditional on the throughput that was read, so that several programs make it
// once.
//
// A change of the kind takes two requests, because the service chooses the amount at the
// first. If the service does not allow the second, the container keeps the new kind with
// the least amount allowed, and the error is a *DifferencesError.
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
	reached, err := e.readThroughput(ctx) // the least amount differs between kinds
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

// halfway returns the error if the throughput has the wanted kind, but not the wanted
// amount. Err is the error of the request, or nil.
func (e *Container) halfway(from, reached provisioned, differs *difference, err error) error {
	differs.Have, differs.Changed, differs.Fixable = reached.String(), true, err != nil
	if err != nil {
		differs.Why = "the request for the amount failed: ensure it again"
	}
	differs.Why = fmt.Sprintf("it was changed from %v; %s", from, differs.Why)
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: []difference{*differs}, Err: err}
}

// replaceThroughput sends a change. The error is errOvertaken if the throughput or the
// container has changed since it was read.
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

// hasKind reports whether another program has already changed the kind of throughput. The
// service refuses to do it again.
func (e *Container) hasKind(ctx context.Context) bool {
	have, err := e.readThroughput(ctx)
	return err == nil && e.Throughput.own() && have.Mode == e.Throughput.Mode
}

// Ensure creates the container, or compares it with the wanted properties. If Apply is set
// and all differences can be removed, it removes them. The error is a *documents.Error or a
// *DifferencesError.
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

// errOvertaken says that another program created, changed or deleted the container between
// two requests.
var errOvertaken = errors.New("other programs keep changing the container: try again later")

// Container is a wanted container. It is for one call of Ensure.
type Container struct {
	DB         *wire.Database
	client     *wire.Client
	Want       *wire.ContainerProperties
	Throughput Throughput
	Apply      bool
	Draft      string // the command that seals a draft layout; "" if sealed

	// ApplyThroughput changes the throughput if nothing else differs. Apply includes this.
	ApplyThroughput bool

	// Did is the result of Ensure.
	Did Did

	// Index is the definition of an index; nil for other containers. WaitForIndex waits
	// until the index is complete.
	Index        *containers.Index
	WaitForIndex bool
	extras       *wire.ContainerExtras
	is           *containers.Index // the index definition that was read, or nil

	// Computed are the computed properties that the container must have; others are kept.
	// SameQuery reports whether two queries compute the same value; it is nil without
	// Computed.
	Computed  []containers.ComputedProperty
	SameQuery func(a, b string) bool

	// Relies are the uses of the container that require a single write region. Ensure does
	// nothing in an account with several, and the error names the first use.
	Relies []*writeregions.Use

	// Accepts reports whether a container may have this value of a property instead of the
	// wanted one. Nil accepts none.
	Accepts func(property, have string) bool
}

// Did is the result of Ensure for a container.
type Did struct {
	Created, Changed bool

	// Had is the former throughput of the container, and Has the present one, if Ensure has
	// read it. For a new container, Has is the requested one.
	Had, Has Throughput
}

// check returns an error for a definition that the service would refuse or misinterpret.
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

// settle makes one attempt. The error is errOvertaken if another attempt is due.
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

// differences returns the differences of findings. None is fixable if the change would drop
// a property.
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

// unlike returns the error about differences, or nil if there are none.
func (e *Container) unlike(differences []difference) error {
	if len(differences) == 0 {
		return nil
	}
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: differences}
}

// difference is a property that differs from the wanted one.
type difference = containers.Difference

// DifferencesError lists how a container differs from the wanted one.
type DifferencesError struct {
	Database, Container string
	Differences         []difference
	Err                 error // of the request that stopped a change halfway, or nil
}

// IsThroughput reports whether only the throughput differs and can be changed.
func (e *DifferencesError) IsThroughput() bool {
	return len(e.Differences) == 1 && e.Differences[0].Property == "throughput" && e.Differences[0].Fixable
}

// Unwrap returns the error of a request.
func (e *DifferencesError) Unwrap() error { return e.Err }

// Error names the container. Package admin reports the differences.
func (e *DifferencesError) Error() string {
	return fmt.Sprintf("container %q of database %q is not as wanted", e.Container, e.Database)
}

// compare returns the differences of a container from the wanted one.
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

const computedProperties = "computedProperties"

// extrasOf returns the properties of a container, including those that azcosmos lacks.
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

// settingsOf returns the properties that are compared.
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

// changed returns copies of the container's properties and of its computed properties with
// the fixes of findings. Fixes change the time to live, paths, indexes, full text and
// computed properties.
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

// each returns a converted list, or nil for nil.
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

// droppedBy returns the properties that a replacement by azcosmos would drop, because its
// own type lacks them. System properties, empty values and defaults do not count.
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

// unsentDefaults are the defaults of properties that azcosmos lacks. The service assumes
// them if a property is missing.
var unsentDefaults = map[string]any{
	"geospatialConfig": map[string]any{"type": "Geography"},
	"backupPolicy":     map[string]any{"type": 1.0},
}

// appendLost appends the paths of values that stored has and sent lacks.
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
