package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
)

// Sampling says how much of a container to read.
type Sampling struct {
	// Share of the key space, from 0 to 1, in randomly chosen windows.
	Share float64
	// Budget is the maximum request units; 0 is no limit. Pages become smaller towards its end.
	// Only a page whose documents are several times larger than earlier ones exceeds it.
	Budget float64
	// Rand chooses the windows.
	Rand *rand.Rand
	// Windowed, if not nil, is called before the first document if windows are read, not the whole
	// container.
	Windowed func()
	// Told, if not nil, is called after each page with the number of documents read so far.
	Told func(documents int64)
}

// Sample says what was read of a container.
type Sample struct {
	Documents int64   `json:"documents"`    // that were read
	Bytes     int64   `json:"bytes"`        // of their JSON
	Charge    float64 `json:"requestUnits"` // that reading them cost
	// Windows of the key space were read to their end, out of Of. Of is 1 if the
	// container was read as a whole.
	Windows int `json:"windows"`
	Of      int `json:"of"`
	// Share is how much of the key space was read, from 0 to 1. The chance that a
	// logical partition has been missed is 1 - Share, whatever its size, since a window
	// has all of it or nothing.
	Share float64 `json:"share"`
	// Stopped says that the budget ended the reading early.
	Stopped bool `json:"stopped"`
	// Estimate is what the sample says of the whole; nil if it says nothing.
	Estimate *Estimate `json:"estimate"`
	// Statistics is what the service says of the container.
	Statistics Statistics `json:"statistics"`
}

// Version 2 is the only supported version of a partition key: 128-bit hashes, as in package
// partition.
const Version = 2

// Sample reads documents of a container and passes them to take as raw JSON, each once, one page at
// a time. The documents share no memory.
//
// It reads the whole container if Share is 1 and there is no budget, or if that costs no more than
// a sample. It refuses to sample a container of version 1, whose hash has 32 bits and an encoding
// that this package does not know. With a hierarchical key, a window has all documents of a first
// level.
func (a *Account) Sample(ctx context.Context, c *Container, s Sampling, take func(documents []json.RawMessage)) (*Sample, error) {
	if c.PartitionKey.Version != Version && (s.Share < 1 || s.Budget > 0) {
		return nil, fmt.Errorf("container %q has a partition key of version 1, which cannot be sampled: read the whole container, without a budget", c.ID)
	}
	run := &sampling{Sampling: s, account: a, before: a.spent, sample: &Sample{}}
	run.reader = reader{account: a, container: c, limit: run.limit, take: run.take(take), seed: maphash.MakeSeed()}
	var err error
	if c.ranges, err = a.Ranges(ctx, c); err != nil {
		return nil, err
	}
	if run.sample.Statistics, err = a.Statistics(ctx, c); err != nil {
		return nil, err
	}
	documents, bytes, err := run.size(ctx)
	if err != nil {
		return nil, err
	}
	n, of := s.divide(documents, bytes, len(c.ranges))
	if err := run.windows(ctx, n, of); err != nil {
		return nil, err
	}
	run.sample.Charge = math.Round(100*(a.spent-run.before)) / 100 // the precision of charges
	return run.sample, nil
}

// sampling is a sample in progress.
type sampling struct {
	Sampling
	account *Account
	reader  reader
	before  float64 // spent before it began
	sample  *Sample

	pilot     bool    // documents are only counted
	window    int64   // documents of the current window
	documents int64   // documents received, including the pilot's
	charge    float64 // their charge
}

// take counts documents, and passes them to another function.
func (s *sampling) take(to func([]json.RawMessage)) func([]json.RawMessage, float64) {
	return func(documents []json.RawMessage, charge float64) {
		n := int64(len(documents))
		s.window += n
		s.documents += n
		s.charge += charge
		if s.pilot {
			return
		}
		s.sample.Documents += n
		for _, d := range documents {
			s.sample.Bytes += int64(len(d))
		}
		to(documents)
		if s.Told != nil {
			s.Told(s.sample.Documents)
		}
	}
}

// Approximate costs of a query. A request costs 2.3 to 2.8 RU, whatever it finds. Documents cost
// what Microsoft's page on query metrics shows: 604.42 RU for 2,000 documents of 1,125,600 bytes.
const (
	costRequest = 2.8  // RU
	costKB      = 0.55 // RU
)

// limit returns the maximum size of the next page within the budget.
func (s *sampling) limit() int {
	if s.Budget <= 0 {
		return pageSize
	}
	left := s.Budget - (s.account.spent - s.before) - costRequest
	each := 1.0 // RU for the first documents, whose size is unknown
	if s.documents > 0 {
		each = 1.5 * s.charge / float64(s.documents)
	}
	n := min(int(left/each), pageSize)
	if left < 0 || n < 1 {
		s.sample.Stopped = true
		return 0
	}
	return n
}

// windows reads n randomly chosen windows of a number of windows.
func (s *sampling) windows(ctx context.Context, n, of int) error {
	s.sample.Of = of
	all := []Window{All()}
	if of > 1 {
		if s.Windowed != nil {
			s.Windowed()
		}
		all = Windows(of)
		s.Rand.Shuffle(of, func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	var counts []int64
	for _, w := range all[:n] {
		s.window = 0
		complete, err := s.reader.read(ctx, w)
		if err != nil {
			return err
		}
		if !complete {
			break
		}
		counts = append(counts, s.window)
	}
	s.sample.Windows = len(counts)
	s.sample.Share = float64(len(counts)) / float64(of)
	s.sample.Estimate = estimate(counts, of)
	if s.sample.Documents == 0 && s.sample.Stopped {
		return errors.New("the budget is spent before a document has been read: give a larger one")
	}
	return nil
}
