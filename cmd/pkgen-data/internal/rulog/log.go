package rulog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Log has the sums of a log by key, physical partition and minute.
type Log struct {
	options    Options
	containers []string // database/container, each once
	records    int64
	invalid    int64
	from, to   time.Time
	units      float64
	keys       map[string]*used // by their text in the log
	ranges     map[place]*used
	places     []place // by number
	numbers    map[place]int32
	operations map[string]float64
	regions    []string          // by number
	minutes    map[int64]float64 // request units by the number of the minute
	pairs      int               // the number of keys and minutes
	order      []string          // the keys by descending request units; nil before first use
}

// place is a physical partition in a region. Each region has its own throughput.
type place struct{ region, id string }

// used sums the request units of a key or a physical partition. There may be a million of them.
type used struct {
	units   float64
	minutes []minute // in order
	last    int32    // the number of its last physical partition
	seen    int64    // the time of that, in seconds since 1970
}

// minute sums request units in a minute of a region.
type minute struct {
	number int64 // minutes since 1970, times mostRegions, and the number of the region
	units  float64
}

// mostRegions is the number of regions that are distinguished. Azure has fewer.
const mostRegions = 256

// newLog returns a log without records.
func newLog(o Options) *Log {
	return &Log{options: o, keys: map[string]*used{}, ranges: map[place]*used{}, numbers: map[place]int32{}, operations: map[string]float64{}, minutes: map[int64]float64{}}
}

// Limits on memory: about 250 MB.
const (
	mostPairs = 2_000_000 // keys by minute
	mostKeys  = 500_000
)

// category is the category of the records, and the name of the table, in lower case.
const category = "partitionkeyruconsumption"

// add adds a record.
func (l *Log) add(r row) error {
	if c := strings.TrimPrefix(strings.ToLower(r[colCategory]), "cdb"); c != "" && c != category && c != "azurediagnostics" {
		l.invalid++ // a file may contain other categories
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
	of := at.Unix()/60*mostRegions + l.region(r[colRegion])
	l.minutes[of] += charge
	where := int32(-1)
	if r[colRange] != "" {
		where = l.place(place{r[colRegion], r[colRange]}, charge, of)
	}
	if key := r[colKey]; key != "" && key != "[]" {
		if l.keys[key] == nil {
			key = strings.Clone(key)
		}
		u, fresh := use(l.keys, key, charge, of)
		if fresh {
			l.pairs++
		}
		if at.Unix() >= u.seen {
			u.last, u.seen = where, at.Unix()
		}
		if l.pairs > mostPairs || len(l.keys) > mostKeys {
			return errors.New("the log has too many keys and minutes for the memory: export less time, or sums: | summarize RequestCharge=sum(todouble(RequestCharge)) by PartitionKey, PartitionKeyRangeId, OperationName, bin(TimeGenerated, 1m)")
		}
	}
	return nil
}

// region returns the number of a region.
func (l *Log) region(name string) int64 {
	i := slices.Index(l.regions, name)
	if i < 0 && len(l.regions) < mostRegions {
		i = len(l.regions)
		l.regions = append(l.regions, strings.Clone(name))
	}
	return int64(max(i, 0))
}

// parseCharge parses request units.
func parseCharge(text string) (float64, bool) {
	charge, err := strconv.ParseFloat(text, 64)
	return charge, err == nil && charge >= 0 && charge <= math.MaxInt32
}

// use adds request units to an element, and reports whether they are its first in a minute.
func use[K comparable](all map[K]*used, what K, charge float64, number int64) (u *used, fresh bool) {
	u = all[what]
	if u == nil {
		u = &used{}
		all[what] = u
	}
	u.units += charge
	i, known := slices.BinarySearchFunc(u.minutes, number, func(m minute, number int64) int { return cmp.Compare(m.number, number) })
	if !known {
		u.minutes = slices.Insert(u.minutes, i, minute{number: number})
	}
	u.minutes[i].units += charge
	return u, !known
}

// place adds request units to a physical partition, and returns its number.
func (l *Log) place(p place, charge float64, of int64) int32 {
	n, known := l.numbers[p]
	if !known {
		p = place{strings.Clone(p.region), strings.Clone(p.id)} // they share the memory of the record
		n = int32(len(l.places))
		l.numbers[p] = n
		l.places = append(l.places, p)
	}
	use(l.ranges, l.places[n], charge, of)
	return n
}

// times are the forms of times in a log. Times without a zone are in UTC, or in the zone of the
// browser that exported them.
var times = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"1/2/2006, 3:04:05 PM", "1/2/2006 3:04:05 PM", "1/2/2006, 15:04:05",
}

// parseTime parses a time.
func parseTime(text string) (time.Time, bool) {
	for _, layout := range times {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), t.Year() >= 2000 && t.Year() < 10000
		}
	}
	return time.Time{}, false
}

// values returns the values of a logged key: the elements of its JSON array, or its text.
func values(key string) []any {
	var list []any
	if json.Unmarshal([]byte(key), &list) == nil && len(list) > 0 {
		return list
	}
	return []any{key}
}

// shown returns a logged key in the form of [layout.Key.String]: the text of a single string, and
// JSON otherwise.
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
