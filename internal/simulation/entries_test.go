package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file compares a global secondary index with the container from which the account
// derives it.

// lags of the account, after which the index has a change.
var indexLags = []time.Duration{0, 50 * time.Millisecond, 3 * time.Second}

// loadIndex makes the index of the shape, if it has one.
func (r *run) loadIndex() error {
	x := r.shape.Index
	if x == nil {
		return nil
	}
	text, err := json.Marshal(x.Container)
	if err != nil {
		return err
	}
	definition, err := json.Marshal(x.Definition)
	if err != nil {
		return err
	}
	r.Server.SetIndexLag(indexLags[r.seed%uint64(len(indexLags))])
	line := fmt.Sprintf(`{"database":"db","container":%s,"globalSecondaryIndexDefinition":%s},"throughput":{"offerThroughput":1000,"offerAutopilotSettings":{"maxThroughput":1000}}}`, strings.TrimSuffix(string(text), "}"), definition)
	if _, err := r.Server.Load(strings.NewReader(line)); err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	return nil
}

// index returns the entries as a program has them.
func (r *run) index(p *program) shapes.Entries {
	return r.shape.Index.Open(shapes.Container(p.db, r.shape.Index.Container), repository.WithPageSize(int32(r.seed%4)))
}

// entries reads the index while documents change. It has each document once, and under the tag
// that the document had.
func (r *run) entries(ctx context.Context, by *running, s step) {
	x, read := r.index(by.program), "scan"
	docs, err := x.Scan(ctx, s.size)
	if err == nil && len(docs) > 0 {
		tag := docs[s.value%len(docs)].Tag
		read = "query of " + tag
		docs, err = x.ByTag(ctx, tag)
		for _, d := range docs {
			if d.Tag != tag {
				r.failed("op %d: the entries of %s have %+v", by.index, tag, d)
			}
		}
	}
	if err != nil {
		r.readFailed(ctx, by, err)
		return
	}
	seen := map[string]bool{}
	for _, d := range docs {
		if seen[d.ID] {
			r.failed("op %d: the %s of the index gave %s twice", by.index, read, d.ID)
		}
		seen[d.ID] = true
	}
}

// compareIndex compares the index at the end with the documents, when it has all of them.
func (r *run) compareIndex() {
	if r.shape.Index == nil {
		return
	}
	time.Sleep(2 * indexLags[len(indexLags)-1])
	ctx := r.world.begin(context.Background(), &running{index: r.beyond(), name: "entries"})
	docs, err := r.last().Scan(ctx, 0)
	if err != nil {
		r.fail(-1, "at the end: %v", err)
		return
	}
	x := r.index(r.programOf(0))
	tags := map[string]int{}
	for _, size := range []int{0, 2} {
		entries, err := x.Scan(ctx, size)
		if err != nil {
			r.fail(-1, "at the end, the index: %v", err)
			return
		}
		found := map[string]shapes.Doc{}
		for _, e := range entries {
			if _, twice := found[e.ID]; twice {
				r.fail(-1, "at the end, the index has %s twice", e.ID)
			}
			found[e.ID] = e
		}
		for _, d := range docs {
			e, has := found[d.ID]
			delete(found, d.ID)
			want := d
			want.ETag, want.Stored, e.Stored = "", "", ""
			if d.TTL > 0 && !has {
				continue // it has expired since
			}
			if e != want {
				r.fail(-1, "at the end, the index has %+v, and stored is %+v", e, want)
			}
			if size == 0 {
				tags[d.Tag]++
			}
		}
		for _, e := range found {
			r.fail(-1, "at the end, the index has %+v, which is not stored", e)
		}
	}
	if n, err := x.Count(ctx); !r.has("ttl") && (err != nil || n != len(docs)) {
		r.fail(-1, "at the end, the index counts %d of %d documents: %v", n, len(docs), err)
	}
	for _, tag := range slices.Sorted(maps.Keys(tags)) { // the same requests in each run of a seed
		n := tags[tag]
		if of, err := x.ByTag(ctx, tag); !r.has("ttl") && (err != nil || len(of) != n) {
			r.fail(-1, "at the end, the index has %d of %d documents of %s: %v", len(of), n, tag, err)
		}
	}
}
