package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"net/http"
	"strconv"
)

// pageSize is the maximum number of documents in a page.
const pageSize = 1000

// reader reads windows of a container.
type reader struct {
	account   *Account
	container *Container
	// limit returns the maximum size of the next page, or 0 to stop.
	limit func() int
	// take receives each document once, with the charge of its page.
	take func(documents []json.RawMessage, charge float64)

	seed maphash.Seed
	seen map[uint64]struct{} // hashes of the documents passed to take
}

// mostSeen limits the hashes of a window, about 80 MB. If the physical partition of a larger window
// splits, reading fails.
const mostSeen = 4_000_000

// read reads a window, and reports whether it reached the end. After a split or merge it reads the
// ranges again, restarts the window, and skips documents already passed to take.
func (r *reader) read(ctx context.Context, w Window) (complete bool, err error) {
	r.seen = map[uint64]struct{}{}
	for attempt := 1; ; attempt++ {
		c := r.container
		if c.ranges == nil {
			c.ranges, err = r.account.Ranges(ctx, c)
		}
		if err == nil {
			complete, err = r.ranges(ctx, w)
		}
		switch {
		case !is(err, http.StatusGone) || attempt == attempts:
			return complete, err
		case len(r.seen) >= mostSeen:
			return false, fmt.Errorf("container %q: a physical partition was split or merged while it was read: run the command again", c.ID)
		}
		c.ranges = nil
	}
}

// ranges reads the part of the window in each physical partition.
func (r *reader) ranges(ctx context.Context, w Window) (complete bool, err error) {
	for _, physical := range r.container.ranges {
		all := Window{physical.Min, physical.Max}
		part, ok := w.intersect(all)
		if !ok {
			continue
		}
		req := r.container.request("/docs", "docs", `{"query":"SELECT * FROM c","parameters":[]}`)
		maps.Copy(req.header, map[string]string{
			"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True", "x-ms-documentdb-query": "True",
			"x-ms-documentdb-query-enablecrosspartition": "True",
			"x-ms-documentdb-partitionkeyrangeid":        physical.ID,
		})
		if part != all {
			req.header["x-ms-read-key-type"] = "EffectivePartitionKeyRange"
			req.header["x-ms-start-epk"], req.header["x-ms-end-epk"] = part.Min, part.Max
		}
		if complete, err = r.pages(ctx, req, part); err != nil || !complete {
			return false, err
		}
	}
	return true, nil
}

// pages reads one part.
func (r *reader) pages(ctx context.Context, req request, part Window) (complete bool, err error) {
	for {
		size := r.limit()
		if size < 1 {
			return false, nil
		}
		req.header["x-ms-max-item-count"] = strconv.Itoa(size)
		var page documentsPage
		before := r.account.spent
		answer, err := r.account.do(ctx, req, &page)
		if err != nil {
			return false, err
		}
		documents, err := r.fresh(page.Documents, part)
		if err != nil {
			return false, err
		}
		r.take(documents, r.account.spent-before)
		if req.header["x-ms-continuation"] = answer.Get("x-ms-continuation"); req.header["x-ms-continuation"] == "" {
			return true, nil
		}
	}
}

// checked is how many documents of a page are checked against the window.
const checked = 10

// fresh returns the documents of a page that were not passed to take before.
func (r *reader) fresh(page []json.RawMessage, part Window) ([]json.RawMessage, error) {
	for _, d := range page[:min(checked, len(page))] {
		if !part.holds(r.container, d) {
			return nil, errors.New("the gateway has sent documents from outside the requested window of partition keys, so a sample would be wrong: read the whole container")
		}
	}
	fresh := page[:0]
	for _, d := range page {
		hash := maphash.Bytes(r.seed, d)
		if _, known := r.seen[hash]; known {
			continue
		}
		if len(r.seen) < mostSeen {
			r.seen[hash] = struct{}{}
		}
		fresh = append(fresh, d)
	}
	return fresh, nil
}
