package query

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// job is one query of a fan-out, to the end of its pages.
type job struct {
	key    azcosmos.PartitionKey // for the header; no values leave it out
	name   string                // the logical partition, as errors name it
	values []Located             // what it reads; nil is everything
	listed bool                  // whether a condition lists the values
	prefix string                // in place of the list, what they begin with
	ranged bool                  // in place of the list, the least and the greatest of them
	texts  map[string]bool       // in place of the list, the values

	// Of a job that is scoped to a physical partition:
	scoped    bool
	in        route.Range
	rid       string
	version   int    // of what is known of the physical partitions
	low, high string // the effective partition keys that it answers for

	// What was delivered, for the jobs that take over when the physical partition
	// is gone: in no order the _rid of all documents, in an order how far the
	// stream has come, and how far its predecessor had.
	restarts       int
	seen           map[string]bool
	reached, after *reached
}

// Located is a partition key value, or a prefix of levels, and where it is.
type Located struct {
	Value     any
	ID        string // of the one document that is meant; empty means all
	prefix    bool   // whether levels are left out
	low, high string // effective partition keys, once located: of one value, low alone
}

// longList is how many values are no longer listed where the range in which they
// lie, which holds few others, can stand for them.
const longList = 50

// Chunks of the list of values in one query. The service takes 512 KB of query
// text and parameters; the number keeps evaluation cheap.
const (
	chunkValues = 1000
	chunkBytes  = 200_000
)

// list returns all of keys, and nil for the whole container.
func list(s *store.Store, keys generated.Keys) []Located {
	if keys.All() {
		return nil
	}
	values := make([]Located, keys.Len())
	for i := range values {
		values[i] = unlocated(s, keys.At(i))
	}
	return values
}

// unlocated is a partition key value, or a prefix of levels, before it is located.
func unlocated(s *store.Store, value any) Located {
	levels, ok := value.([]any)
	return Located{Value: value, prefix: ok && len(levels) < len(s.Paths)}
}

// locate finds where values are.
func locate(values []Located) error {
	one := make([]any, 1)
	for i := range values {
		v := &values[i]
		levels, ok := v.Value.([]any)
		if !ok {
			one[0] = v.Value
			levels = one
		}
		var err error
		if v.low, err = partition.EPK(levels...); err != nil {
			return err
		}
		if v.prefix {
			v.high = v.low + route.LastKey // above every key that begins with these levels
		}
	}
	return nil
}

// LocateValue finds where a partition key value, or a prefix of levels, is.
func LocateValue(s *store.Store, value any) (Located, error) {
	one := []Located{unlocated(s, value)}
	err := locate(one)
	return one[0], err
}

// within reports whether r holds some of v.
func (v Located) within(r route.Range) bool {
	if !v.prefix {
		return partition.CompareEPK(r.Min, v.low) <= 0 && partition.CompareEPK(v.low, r.Max) < 0
	}
	return partition.CompareEPK(r.Min, v.high) < 0 && partition.CompareEPK(v.low, r.Max) < 0
}

// split divides a job among the physical partitions of m: one job for each that
// holds some of its values, or several where these are many. Each answers for
// the effective partition keys that j and the physical partition have in common.
func (j job) split(m *route.Map, version int) []job {
	var jobs []job
	for _, r := range m.Overlapping(j.low, j.high) {
		part := j
		part.scoped, part.in, part.rid, part.version = true, r, m.RID, version
		part.after, part.reached = j.last(), nil
		part.low = slices.MaxFunc([]string{j.low, r.Min}, partition.CompareEPK)
		part.high = slices.MinFunc([]string{j.high, r.Max}, partition.CompareEPK)
		if j.values == nil {
			part.seen = maps.Clone(j.seen)
			jobs = append(jobs, part)
			continue
		}
		var held []Located
		for _, v := range j.values {
			if v.within(r) {
				held = append(held, v)
			}
		}
		if j.prefix != "" || j.ranged {
			if len(held) > 0 {
				jobs = append(jobs, part.unlisted(held))
			}
			continue
		}
		for _, some := range chunks(held) {
			chunk := part
			chunk.values, chunk.listed = some, true
			if len(some) == 1 {
				chunk.name = wire.NameOf(some[0].Value)
			}
			chunk.seen = maps.Clone(j.seen)
			jobs = append(jobs, chunk)
		}
	}
	return jobs
}

// unlisted returns the job of a physical partition that reads the values it
// holds without a list of them.
func (j job) unlisted(held []Located) job {
	j.values, j.listed = held, true
	j.seen = maps.Clone(j.seen)
	j.texts = make(map[string]bool, len(held))
	for _, v := range held {
		if text, ok := v.Value.(string); ok {
			j.texts[text] = true
		}
	}
	return j
}

// stray reports whether a document has what j asks for in place of a list, but
// none of its values for its partition key.
func stray(s *store.Store, j *job, document []byte) (bool, error) {
	if j.texts == nil {
		return false, nil
	}
	var key string
	err := json.Unmarshal(text.ValueAt(document, text.Names(s.Paths[0])), &key)
	return !j.texts[key], err
}

// chunks divides values into lists that one query can hold.
func chunks(values []Located) [][]Located {
	var all [][]Located
	start, size := 0, 0
	for i, v := range values {
		length := len(wire.NameOf(v.Value)) + len(v.ID)
		size += length
		if i-start == chunkValues || size > chunkBytes && i > start {
			all = append(all, values[start:i])
			start, size = i, length
		}
	}
	if start < len(values) {
		all = append(all, values[start:])
	}
	return all
}

// listCondition lists the values of j: those of one level by IN, their prefix, or
// the range in which they lie, those of several each by its levels, and documents
// each by its id as well.
func listCondition(s *store.Store, j job) (string, []azcosmos.QueryParameter) {
	if !j.listed {
		return "", nil
	}
	var parameters []azcosmos.QueryParameter
	parameter := func(value any) string {
		name := text.OwnParameter + "K" + strconv.Itoa(len(parameters))
		parameters = append(parameters, azcosmos.QueryParameter{Name: name, Value: value})
		return name
	}
	if j.prefix != "" {
		return "STARTSWITH(" + text.Property(s.Paths[0]) + ", " + parameter(j.prefix) + ")", parameters
	}
	if j.ranged {
		texts := slices.Sorted(maps.Keys(j.texts))
		key := text.Property(s.Paths[0])
		condition := key + " >= " + parameter(texts[0]) + " AND " + key + " <= " + parameter(texts[len(texts)-1])
		return condition, parameters
	}
	terms := make([]string, len(j.values))
	listed := len(s.Paths) == 1 && j.values[0].ID == ""
	for i, v := range j.values {
		if listed {
			terms[i] = parameter(v.Value)
			continue
		}
		levels, ok := v.Value.([]any)
		if !ok {
			levels = []any{v.Value}
		}
		var equal []string
		if v.ID != "" {
			equal = append(equal, text.Property("/id")+" = "+parameter(v.ID))
		}
		for n, level := range levels {
			equal = append(equal, text.Property(s.Paths[n])+" = "+parameter(level))
		}
		terms[i] = "(" + strings.Join(equal, " AND ") + ")"
	}
	if listed {
		return text.Property(s.Paths[0]) + " IN (" + strings.Join(terms, ", ") + ")", parameters
	}
	return strings.Join(terms, " OR "), parameters
}

// perKey returns one job for each of values, and one for the whole container. A
// prefix of levels has no header: azcosmos asks there for all of them, so its
// levels are a condition and the gateway finds its physical partitions.
func perKey(values []Located) []job {
	if values == nil {
		return []job{{key: azcosmos.NewPartitionKey()}}
	}
	jobs := make([]job, len(values))
	for i, v := range values {
		jobs[i].key, jobs[i].name = wire.PartitionKeyOf(v.Value)
		if v.prefix {
			jobs[i].key, jobs[i].listed = azcosmos.NewPartitionKey(), true
			jobs[i].values = values[i : i+1]
		}
	}
	return jobs
}

// byGateway returns the jobs that leave it to the gateway to find the physical
// partitions of values.
func byGateway(values []Located) []job {
	if values == nil {
		return []job{{key: azcosmos.NewPartitionKey()}}
	}
	lists := chunks(values)
	jobs := make([]job, len(lists))
	for i, list := range lists {
		jobs[i] = job{key: azcosmos.NewPartitionKey(), values: list, listed: true}
	}
	return jobs
}

// scopedJobs returns the jobs that read values, one for each physical partition
// that holds some, in the order of the key space. If all values begin with prefix
// and few others do, that stands for the list of them; if they are ranged, the
// range in which they lie.
func scopedJobs(values []Located, prefix string, ranged bool, m *route.Map, version int) []job {
	all := job{key: azcosmos.NewPartitionKey(), values: values, prefix: prefix, ranged: ranged, low: route.FirstKey, high: route.LastKey}
	jobs := all.split(m, version)
	slices.SortStableFunc(jobs, func(a, b job) int {
		return cmp.Or(partition.CompareEPK(a.low, b.low), cmp.Compare(a.in.ID, b.in.ID))
	})
	return jobs
}
