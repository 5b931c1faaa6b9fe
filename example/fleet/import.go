package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// Import stores the events of r, which holds one JSON document a line, and
// returns how they spread over logical partitions. Events that share one are
// sent together. It may be run again: an event that is there already is written
// over. The first error ends it.
func Import(ctx context.Context, events *VehicleEventRepository, r io.Reader) (Spread, error) {
	spread := Spread{}
	var unread error
	for outcome := range events.UpsertAll(documents.Sequence(lines(r, &unread)), documents.InBatches()).All(ctx) {
		if outcome.Err != nil {
			return spread, fmt.Errorf("line %d: %w", outcome.Index+1, outcome.Err)
		}
		spread[outcome.Item.PartitionKey()]++
	}
	return spread, unread
}

// lines yields the event of each line of r. If it ends early, unread says why.
func lines(r io.Reader, unread *error) iter.Seq[*VehicleEvent] {
	return func(yield func(*VehicleEvent) bool) {
		scanner := bufio.NewScanner(r)
		for n := 1; scanner.Scan(); n++ {
			event := &VehicleEvent{}
			if err := json.Unmarshal(scanner.Bytes(), event); err != nil {
				*unread = fmt.Errorf("line %d: %w", n, err)
				return
			}
			if !yield(event) {
				return
			}
		}
		*unread = scanner.Err()
	}
}

// Spread counts documents by partition key.
type Spread map[string]int

// Documents returns the number of documents.
func (s Spread) Documents() int {
	sum := 0
	for _, n := range s {
		sum += n
	}
	return sum
}

// Extremes returns the partition keys with the most and with the fewest
// documents, the first in order among equals.
func (s Spread) Extremes() (fullest, emptiest string) {
	for key, n := range s {
		if fullest == "" || n > s[fullest] || n == s[fullest] && key < fullest {
			fullest = key
		}
		if emptiest == "" || n < s[emptiest] || n == s[emptiest] && key < emptiest {
			emptiest = key
		}
	}
	return fullest, emptiest
}
