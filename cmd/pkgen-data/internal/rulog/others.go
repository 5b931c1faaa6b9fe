package rulog

import (
	"encoding/json"
	"math/bits"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Others estimates the effect of layouts on the requests of a log, at unchanged cost per request.
//
// The key of a layout follows from a logged key that contains all properties of the layout.
// Otherwise it follows from documents of a sample: the request units of a logged key are divided
// evenly among its documents in the sample.
type Others struct {
	log        *Log
	own        *layout.Layout // the layout of the logged keys
	layouts    []*layout.Layout
	set        *layout.Set
	document   layout.Document
	partitions []int
	alone      []derived          // results from keys alone, by layout
	joins      map[string]*joined // by the key in readable form
}

// derived is the result from keys alone for a layout.
type derived struct {
	refused string // why there is none, or ""
	load    load
	joined  float64 // request units of the keys with a result
	keys    map[layout.Key]bool
}

// load has request units by number of physical partitions, and by physical partition.
type load [][]float64

// joined is a logged key, and its documents in a sample.
type joined struct {
	documents float64
	loads     []load // documents, by layout
}

// mostJoined is the number of logged keys joined with a sample, by descending request units.
const mostJoined = 10_000

// NewOthers returns the estimates for layouts. Own is the layout of the logged keys, of the type
// with this lock entry; nil if unknown. It may be one of the layouts.
func NewOthers(l *Log, own *layout.Layout, entry lock.Entry, layouts []*layout.Layout, partitions []int) *Others {
	o := &Others{log: l, own: own, layouts: layouts, set: layout.NewSet(layouts), partitions: partitions, joins: map[string]*joined{}}
	var r *rule
	if own != nil {
		r, _ = newRule(entry) // own was made from it
		for i, key := range l.busiest() {
			if i == mostJoined {
				break
			}
			o.joins[shown(key)] = &joined{}
		}
	}
	for _, candidate := range layouts {
		o.alone = append(o.alone, o.derive(r, candidate))
	}
	return o
}

// newLoad returns an empty load.
func (o *Others) newLoad() load {
	l := make(load, len(o.partitions))
	for i, n := range o.partitions {
		l[i] = make([]float64, n)
	}
	return l
}

// add adds request units or documents at an effective partition key of version 2, whose top two
// bits are zero.
func (l load) add(epk string, amount float64) {
	word, _ := strconv.ParseUint(epk[:16], 16, 64) // it consists of hexadecimal digits
	for _, partitions := range l {
		i, _ := bits.Mul64(word<<2, uint64(len(partitions)))
		partitions[i] += amount
	}
}

// derive returns the result from keys alone for a layout.
func (o *Others) derive(r *rule, candidate *layout.Layout) derived {
	d := derived{load: o.newLoad(), keys: map[layout.Key]bool{}}
	if r == nil {
		d.refused = "no lock has the layout of the logged keys: name the packages, and the type by -type"
		return d
	}
	same := o.isOwn(candidate)
	suffix := false
	if !same {
		if suffix, d.refused = r.tells(candidate.String()); d.refused != "" {
			return d
		}
	}
	set := layout.NewSet([]*layout.Layout{candidate})
	for _, key := range o.log.busiest() {
		units := o.log.keys[key].units
		if same {
			if epk, ok := epkOf(values(key)); ok {
				d.load.add(epk, units)
				d.joined += units
			}
			continue
		}
		made, ok := r.made(key, set, suffix, candidate)
		if !ok {
			continue
		}
		if epk, err := made.EPK(); err == nil {
			d.load.add(epk, units)
			d.joined += units
			d.keys[made] = true
		}
	}
	if d.joined == 0 {
		d.refused = "no logged key can be parsed unambiguously by layout " + r.entry.Layout
	}
	return d
}

// isOwn reports whether a layout is that of the logged keys.
func (o *Others) isOwn(l *layout.Layout) bool { return o.own != nil && l.String() == o.own.String() }

// epkOf returns the effective partition key of values in JSON.
func epkOf(list []any) (string, bool) {
	for i, value := range list {
		if _, object := value.(map[string]any); object { // {} is undefined
			list[i] = partition.Undefined{}
		}
	}
	epk, err := partition.EPK(list...)
	return epk, err == nil
}

// made returns the key that another layout makes from the pieces of a logged key.
func (r *rule) made(key string, set *layout.Set, suffix bool, candidate *layout.Layout) (layout.Key, bool) {
	found, ok := r.apart(values(key))
	if !ok {
		return layout.Key{}, false
	}
	var document layout.Document
	if set.Read(object(found.properties), &document) != nil {
		return layout.Key{}, false
	}
	var made layout.Key
	var err error
	if suffix {
		made, err = document.Bucket(0, (found.bucket-1)%bucketsOf(candidate.String())+1)
	} else {
		made, err = document.Key(0)
	}
	return made, err == nil
}

// bucketsOf returns the number of buckets of a template.
func bucketsOf(template string) int {
	r, err := newRule(lock.Entry{Layout: template})
	if err != nil || r.bucket == nil {
		return 1
	}
	return r.bucket.Count
}

// object returns the document with some properties, by their names in layouts.
func object(properties map[string]json.RawMessage) []byte {
	top := map[string]any{}
	for name, raw := range properties {
		at := top
		names := strings.Split(name, ".")
		for _, n := range names[:len(names)-1] {
			inner, ok := at[n].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[n] = inner
			}
			at = inner
		}
		at[names[len(names)-1]] = raw
	}
	text, _ := json.Marshal(top) // its values are JSON
	return text
}

// Add adds a document of a sample. It keeps no bytes of it.
func (o *Others) Add(document []byte) {
	if o.own == nil {
		return
	}
	j := o.joinOf(document)
	if j == nil || o.set.Read(document, &o.document) != nil {
		return
	}
	if j.loads == nil {
		for range o.layouts {
			j.loads = append(j.loads, o.newLoad())
		}
	}
	j.documents++
	for i := range o.layouts {
		key, err := o.document.Key(i)
		if err != nil {
			continue
		}
		if epk, err := key.EPK(); err == nil {
			j.loads[i].add(epk, 1)
		}
	}
}

// joinOf returns the logged key of a document, or nil.
func (o *Others) joinOf(document []byte) *joined {
	if key, err := o.own.Stored(document); err == nil {
		if j := o.joins[key.String()]; j != nil {
			return j
		}
	}
	key, err := o.own.Key(document) // a file may lack the stored key
	if err != nil {
		return nil
	}
	return o.joins[key.String()]
}

// Layouts returns the estimates.
func (o *Others) Layouts() []analyze.LoggedLayout {
	var all []analyze.LoggedLayout
	for i, candidate := range o.layouts {
		d := o.alone[i]
		l := analyze.LoggedLayout{Layout: candidate.String(), Refused: d.refused}
		load, units := d.load, d.joined
		l.Keys = int64(len(d.keys))
		if o.isOwn(candidate) {
			l.Keys = int64(len(o.log.keys))
		}
		if d.refused != "" {
			load, units = o.join(i)
			l.Keys = 0
			if units > 0 {
				l.Refused = ""
			}
		}
		if l.Refused == "" {
			l.Joined = share(units, o.log.units)
			l.Partitions = load.spreads()
		} else if o.own != nil {
			l.Refused += "; to compute it, give a sample with documents of the logged keys by -in or -container"
		}
		all = append(all, l)
	}
	return all
}

// join returns the load from the sample for layout i, and its request units.
func (o *Others) join(i int) (load, float64) {
	sum, units := o.newLoad(), 0.0
	for _, key := range o.log.busiest() {
		j := o.joins[shown(key)]
		if j == nil || j.documents == 0 {
			continue
		}
		of := o.log.keys[key].units
		placed := 0.0
		for p := range sum {
			for n, documents := range j.loads[i][p] {
				part := of * documents / j.documents
				sum[p][n] += part
				if p == 0 {
					placed += part
				}
			}
		}
		units += placed
	}
	return sum, units
}

// spreads describes a load.
func (l load) spreads() []analyze.LoggedSpread {
	var all []analyze.LoggedSpread
	for _, partitions := range l {
		s := analyze.LoggedSpread{Physical: len(partitions), RequestUnits: partitions}
		sum, most := 0.0, 0.0
		for _, units := range partitions {
			sum += units
			most = max(most, units)
		}
		if s.BusiestShare = share(most, sum); most > 0 {
			s.Effective = sum / most
		}
		all = append(all, s)
	}
	return all
}
