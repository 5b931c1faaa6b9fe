package query

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// job is one query of a fan-out, to the end of its pages.
type job struct {
	key    azcosmos.PartitionKey // for the header; no values leave it out
	name   string                // the logical partition, as errors name it
	values []Target              // what it reads; nil is everything
	listed bool                  // whether a condition lists the values
	prefix string                // in place of the list, what they begin with
	ranged bool                  // in place of the list, the least and the greatest of them
	texts  map[string]bool       // in place of the list, the values

	part int // which of several containers it reads

	// Of a job that is scoped to a physical partition:
	scoped    bool
	in        route.Range
	rid       string
	version   int    // of what is known of the physical partitions
	low, high string // the effective partition keys that it answers for

	// What was delivered, for later pages and for the jobs that take over when the
	// physical partition is gone: in no order the names of all documents, in an order how
	// far the stream has come, and how far its predecessor had.
	restarts       int
	seen           map[docName]bool
	reached, after *reached
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
		var held []Target
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
func (j job) unlisted(held []Target) job {
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

// stray reports whether a document is in the prefix or range that j asks for in place
// of a list, while its partition key is not one of the values.
func stray(s *store.Store, j *job, document []byte) (bool, error) {
	if j.texts == nil {
		return false, nil
	}
	var key string
	err := json.Unmarshal(text.ValueAt(document, text.Names(s.Paths[0])), &key)
	return !j.texts[key], err
}

// reached is how far an ordered stream was delivered: the values of the last
// document, and the names of those that have just these values.
type reached struct {
	keys  []text.SortValue
	names map[docName]bool
}

// last is how far the stream goes that j is, or continues.
func (j *job) last() *reached {
	if j.reached != nil {
		return j.reached
	}
	return j.after
}
