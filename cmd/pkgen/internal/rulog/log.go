package rulog

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Log is what a log says. It has the sums by key, physical partition and minute.
type Log struct {
	options    Options
	containers []string // database/container, each once
	records    int64
	invalid    int64
	from, to   time.Time
	units      float64
	keys       map[string]*used // by the text of the log
	ranges     map[place]*used
	operations map[string]float64
	minutes    map[int64]float64 // request units by minute since 1970
	pairs      int               // of keys and minutes
}

// place is a physical partition in a region: each region has throughput of its own.
type place struct{ region, id string }

// used is how many request units something used.
type used struct {
	units   float64
	minutes map[int64]float64
	last    place
	seen    time.Time // when it was there
}

// newLog returns a log without records.
func newLog(o Options) *Log {
	return &Log{options: o, keys: map[string]*used{}, ranges: map[place]*used{}, operations: map[string]float64{}, minutes: map[int64]float64{}}
}

// mostPairs is how many keys by minute are counted: about 200 MB.
const mostPairs = 2_000_000

// category is that of the records, in lower case, and that of the table.
const category = "partitionkeyruconsumption"

// add adds a record.
func (l *Log) add(r row) error {
	if c := strings.TrimPrefix(strings.ToLower(r[colCategory]), "cdb"); c != "" && c != category && c != "azurediagnostics" {
		l.invalid++ // a file can hold other categories
		return nil
	}
	charge, number := parseCharge(r[colCharge])
	at, ok := parseTime(r[colTime])
	if !number || !ok {
		l.invalid++
		return nil
	}
	if l.options.Database != "" && r[colDatabase] != "" && r[colDatabase] != l.options.Database ||
		l.options.Container != "" && r[colContainer] != "" && r[colContainer] != l.options.Container {
		return nil // of another container
	}
	if name := r[colDatabase] + "/" + r[colContainer]; !slices.Contains(l.containers, name) {
		l.containers = append(l.containers, name)
		if len(l.containers) > 20 {
			return l.check()
		}
	}
	if l.records == 0 || at.Before(l.from) {
		l.from = at
	}
	if l.records == 0 || at.After(l.to) {
		l.to = at
	}
	l.records++
	l.units += charge
	l.operations[r[colOperation]] += charge
	minute := at.Unix() / 60
	l.minutes[minute] += charge
	where := place{r[colRegion], r[colRange]}
	if r[colRange] != "" {
		use(l.ranges, where, charge, minute)
	}
	if key := r[colKey]; key != "" && key != "[]" {
		u, fresh := use(l.keys, key, charge, minute)
		if fresh {
			l.pairs++
		}
		if !at.Before(u.seen) {
			u.last, u.seen = where, at
		}
		if l.pairs > mostPairs {
			return errors.New("the log has too many keys and minutes to be kept in memory: export less time, or sums: | summarize RequestCharge=sum(todouble(RequestCharge)) by PartitionKey, PartitionKeyRangeId, OperationName, bin(TimeGenerated, 1m)")
		}
	}
	return nil
}

// parseCharge reads request units.
func parseCharge(text string) (float64, bool) {
	charge, err := strconv.ParseFloat(text, 64)
	return charge, err == nil && charge >= 0 && charge <= math.MaxInt32
}

// use adds request units to something, and reports whether that is its first of a minute.
func use[K comparable](all map[K]*used, what K, charge float64, minute int64) (u *used, fresh bool) {
	u = all[what]
	if u == nil {
		u = &used{minutes: map[int64]float64{}}
		all[what] = u
	}
	_, known := u.minutes[minute]
	u.units += charge
	u.minutes[minute] += charge
	return u, !known
}

// times are the forms in which a log has times. Those without a zone are in UTC, or in
// the zone of the browser that exported them.
var times = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"1/2/2006, 3:04:05 PM", "1/2/2006 3:04:05 PM", "1/2/2006, 15:04:05",
}

// parseTime reads a time.
func parseTime(text string) (time.Time, bool) {
	for _, layout := range times {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), t.Year() >= 2000 && t.Year() < 10000
		}
	}
	return time.Time{}, false
}

// values returns the values of a logged key: those of its JSON array, or its text.
func values(key string) []any {
	var list []any
	if json.Unmarshal([]byte(key), &list) == nil && len(list) > 0 {
		return list
	}
	return []any{key}
}

// shown returns a logged key for people, as [layout.Key.String] does: the text of a key
// of one string, and the JSON of any other.
func shown(key string) string {
	list := values(key)
	if text, ok := list[0].(string); ok && len(list) == 1 {
		return text
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if len(list) == 1 {
		_ = encoder.Encode(list[0]) // it was JSON
	} else {
		_ = encoder.Encode(list)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
