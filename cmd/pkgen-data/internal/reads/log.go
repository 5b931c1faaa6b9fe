package reads

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// record is a line of a log: an event of a repository's observer, written with slog's JSON handler.
// encoding/json ignores the case of names.
type record struct {
	Time   *time.Time `json:"time"`
	Op     string     `json:"op"`
	Method string     `json:"method"`
	Range  string     `json:"range"`
}

// isRecord reports whether an object is a line of a log, rather than calls by method.
func isRecord(raw json.RawMessage) bool {
	var r record
	return json.Unmarshal(raw, &r) == nil && r.Time != nil && (r.Op != "" || r.Method != "")
}

// counted has a method's counts in a log.
type counted struct {
	alone  int            // events without a physical partition
	ranges map[string]int // other events by physical partition: a fan-out has one for each
}

// parseLog counts the calls of a log, after its first lines were read. A fan-out has an event for
// each physical partition; the physical partition with the most events gives the number of calls,
// which is too high if calls have several pages.
func parseLog(d *json.Decoder, first ...json.RawMessage) ([]Call, error) {
	var names []string
	methods := map[string]*counted{}
	var from, to time.Time
	for n := 1; ; n++ {
		var raw json.RawMessage
		if len(first) > 0 {
			raw, first = first[0], first[1:]
		} else if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("record %d of the calls file is not JSON: %w: correct it", n, err)
		}
		var r record
		if err := json.Unmarshal(raw, &r); err != nil || r.Time == nil || r.Op == "" && r.Method == "" {
			return nil, fmt.Errorf("record %d of the calls file has no time, or neither op nor method: log them, or write one object of calls per second by method", n)
		}
		method := r.Method
		if method == "" {
			if o := operations.OfEvent(r.Op); o != nil { // several queries may share the event
				method = o.Name
			}
		}
		if method == "" {
			return nil, fmt.Errorf("record %d of the calls file has op %q, which does not identify the method: log a method too", n, plain.Word(r.Op))
		}
		m := methods[method]
		if m == nil {
			m = &counted{ranges: map[string]int{}}
			methods[method] = m
			names = append(names, method)
		}
		if r.Range == "" {
			m.alone++
		} else {
			m.ranges[r.Range]++
		}
		if from.IsZero() || r.Time.Before(from) {
			from = *r.Time
		}
		if r.Time.After(to) {
			to = *r.Time
		}
	}
	seconds := to.Sub(from).Seconds()
	if seconds <= 0 {
		return nil, errors.New("all records of the calls file have the same time, so rates are unknown: log for longer")
	}
	slices.Sort(names)
	calls := make([]Call, len(names))
	for i, name := range names {
		most := 0
		for _, n := range methods[name].ranges {
			most = max(most, n)
		}
		calls[i] = Call{Method: name, PerSecond: float64(methods[name].alone+most) / seconds}
	}
	return calls, nil
}
