package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// writers is how many events Import writes at once.
const writers = 16

// Import stores the events of r, which holds one JSON document a line, and
// returns how they spread over logical partitions. It may be run again: an event
// that is there already is written over. The first error ends it.
func Import(ctx context.Context, events *VehicleEventRepository, r io.Reader) (Spread, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lines := make(chan VehicleEvent)
	var done sync.WaitGroup
	for range writers {
		done.Go(func() {
			for event := range lines {
				if err := events.Upsert(ctx, &event); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	spread := Spread{}
	err := read(r, func(event VehicleEvent) error {
		select {
		case lines <- event:
			spread[event.PartitionKey()]++
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	close(lines)
	done.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return spread, err
}

// read calls add for each line of r.
func read(r io.Reader, add func(VehicleEvent) error) error {
	scanner := bufio.NewScanner(r)
	for n := 1; scanner.Scan(); n++ {
		var event VehicleEvent
		if err := json.Unmarshal(scanner.Bytes(), &event); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := add(event); err != nil {
			return err
		}
	}
	return scanner.Err()
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
