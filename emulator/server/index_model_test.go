package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// memory is records that outlive a server, and forget the last calls of Record in a kill.
type memory struct {
	tables map[string]map[string][]byte
	last   [][]store.Change // calls that can still be forgotten
}

func (m *memory) Each(table string, visit func(key, value []byte), _ func(error)) {
	for _, key := range slices.Sorted(maps.Keys(m.tables[table])) {
		visit([]byte(key), bytes.Clone(m.tables[table][key]))
	}
}

func (m *memory) Record(changes []store.Change) { m.last = append(m.last, slices.Clone(changes)) }
func (m *memory) Settle() error                 { return nil }
func (m *memory) File() string                  { return "memory" }

// keep makes the first n calls permanent, and forgets the others.
func (m *memory) keep(n int) {
	for _, c := range slices.Concat(m.last[:n]...) {
		t := m.tables[c.Table]
		if t == nil {
			t = map[string][]byte{}
			m.tables[c.Table] = t
		}
		if c.Value != nil {
			t[string(c.Key)] = c.Value
			continue
		}
		maps.DeleteFunc(t, func(key string, _ []byte) bool { return strings.HasPrefix(key, string(c.Key)) })
	}
	m.last = nil
}

// modelled is a document of the source, without system properties.
type modelled struct {
	PK string `json:"pk"`
	ID string `json:"id"`
	U  string `json:"u"` // names the document in all entries
	K  any    `json:"k,omitempty"`
	N  int    `json:"n"`
	// TTL is seconds; 0 is no time to live.
	TTL int64 `json:"ttl,omitempty"`

	written int64
	rid     string
}

// event is a change of the source: doc is nil if u is gone.
type event struct {
	at      int64
	u       string
	doc     *modelled
	expired bool
}

// modelIndex is an index as it has to be.
type modelIndex struct {
	id      string
	created int64
	built   bool
	all     bool // SELECT *
	state   map[string]*modelled
	pending []event
}

// indexModel writes to a source at random, and tracks the expected content of its indexes. All
// times are whole seconds, since records do not keep fractions.
type indexModel struct {
	*rig
	random  *rand.Rand
	options Options
	now     int64
	lag     int64
	from    int64 // the last change of the pace
	paused  bool
	docs    map[string]*modelled
	history []event
	indexes []*modelIndex
	created int
	ids     map[string]string // of entries, by the resource id of the document
}

// pass lets time pass: documents expire, and changes reach indexes.
func (m *indexModel) pass(seconds int64) {
	m.now += seconds
	var gone []*modelled
	for _, d := range m.docs {
		if d.TTL > 0 && d.written+d.TTL <= m.now {
			gone = append(gone, d)
		}
	}
	slices.SortFunc(gone, func(a, b *modelled) int { return int(a.written + a.TTL - b.written - b.TTL) })
	for _, d := range gone {
		m.change(d.written+d.TTL, d.U, nil)
		m.history[len(m.history)-1].expired = true
	}
	m.catchUp()
}

// change notes a change of the source.
func (m *indexModel) change(at int64, u string, d *modelled) {
	if d == nil {
		delete(m.docs, u)
	} else {
		m.docs[u] = d
	}
	e := event{at: at, u: u, doc: d}
	m.history = append(m.history, e)
	for _, x := range m.indexes {
		if x.built {
			x.pending = append(x.pending, e)
		}
	}
}

// catchUp brings the indexes of the model to the present.
func (m *indexModel) catchUp() {
	if m.paused {
		return
	}
	for _, x := range m.indexes {
		if at := max(x.created+2*m.lag, m.from); !x.built && at <= m.now {
			x.built = true
			for _, e := range m.history { // a write in that second comes after it
				if e.at < at || e.at == at && e.expired {
					x.set(e)
				} else {
					x.pending = append(x.pending, e)
				}
			}
		}
		for len(x.pending) > 0 && x.built && max(x.pending[0].at+m.lag, m.from) <= m.now {
			x.set(x.pending[0])
			x.pending = x.pending[1:]
		}
	}
}

func (x *modelIndex) set(e event) {
	if e.doc == nil {
		delete(x.state, e.u)
	} else {
		x.state[e.u] = e.doc
	}
}

// key returns the partition key header of an entry; false if the document cannot be one.
func (d *modelled) key() (string, bool) {
	if d.K == nil {
		return "[{}]", true
	}
	if _, object := d.K.(map[string]any); object {
		return "", false
	}
	text, _ := json.Marshal([]any{d.K})
	return string(text), true
}

// entry is the text of an entry, without what the service fills in.
func (x *modelIndex) entry(d *modelled) string {
	e := map[string]any{"_id": d.ID, "u": d.U, "n": d.N}
	if d.K != nil {
		e["k"] = d.K
	}
	if x.all {
		e["pk"] = d.PK
		if d.TTL > 0 {
			e["ttl"] = d.TTL
		}
	}
	text, _ := json.Marshal(e)
	return string(text)
}

// check compares the indexes of the server with the model.
func (m *indexModel) check(step int) {
	m.t.Helper()
	for _, x := range m.indexes {
		want := map[string][]string{}
		for _, d := range x.state {
			if key, ok := d.key(); ok {
				want[key] = append(want[key], x.entry(d))
			}
		}
		total := 0
		for _, key := range []string{"[{}]", `["x"]`, `["y"]`, `[1]`, `[true]`} {
			var got []string
			seen := map[any]bool{}
			for _, e := range m.keyed(x.id, key) {
				id, u := e["id"], e["u"].(string)
				if seen[id] {
					m.t.Fatalf("step %d: %s has the id %v twice under %s", step, x.id, id, key)
				}
				seen[id] = true
				if rid := x.state[u]; rid != nil {
					if was := m.ids[rid.rid]; was != "" && was != id {
						m.t.Fatalf("step %d: the entry of %s has the id %v, and had %s", step, u, id, was)
					}
					m.ids[rid.rid] = id.(string)
				}
				for _, name := range []string{"id", "_rid", "_self", "_etag", "_attachments", "_ts"} {
					delete(e, name)
				}
				text, _ := json.Marshal(e)
				got = append(got, string(text))
			}
			total += len(got)
			slices.Sort(got)
			slices.Sort(want[key])
			if !slices.Equal(got, want[key]) {
				m.t.Fatalf("step %d, lag %d, paused %t: %s has under %s\n%s\nwant\n%s", step, m.lag, m.paused, x.id, key, strings.Join(got, "\n"), strings.Join(want[key], "\n"))
			}
		}
		if n := len(m.documents(x.id)); n != total {
			m.t.Fatalf("step %d: %s has %d entries, and %d under known keys", step, x.id, n, total)
		}
		if status := m.send("GET", "/dbs/db/colls/"+x.id, "").status(200, "").definition()["status"]; (status == "Active") != x.built {
			m.t.Fatalf("step %d: %s is %v, want Active %t", step, x.id, status, x.built)
		}
	}
}

// step does something at random.
func (m *indexModel) step() {
	m.pass(1 + m.random.Int64N(3))
	pk := fmt.Sprintf("p%d", m.random.IntN(4))
	id := fmt.Sprint(m.random.IntN(5))
	u := pk + "/" + id
	header := []string{pkKey, `["` + pk + `"]`}
	next := &modelled{PK: pk, ID: id, U: u, N: m.random.IntN(100), written: m.now,
		K: []any{nil, "x", "y", 1, true, "x", map[string]any{}}[m.random.IntN(7)]}
	if m.random.IntN(4) == 0 {
		next.TTL = 1 + m.random.Int64N(30)
	}
	body, _ := json.Marshal(next)
	old := m.docs[u]
	switch m.random.IntN(25) {
	case 0, 1, 2, 3, 4, 5, 6:
		a := m.send("POST", docs, string(body), append(header, "x-ms-documentdb-is-upsert", "True")...)
		next.rid = a.json()["_rid"].(string)
		m.change(m.now, u, next)
	case 7, 8, 9:
		a := m.send("PUT", docs+"/"+id, string(body), header...)
		if (a.Code == 200) != (old != nil) {
			m.t.Fatalf("replace of %s: %d, and the model has %v", u, a.Code, old)
		}
		if old != nil {
			next.rid = old.rid
			m.change(m.now, u, next)
		}
	case 10, 11:
		if old == nil {
			return
		}
		changed := *old
		changed.N, changed.K, changed.written = next.N, "y", m.now
		m.send("PATCH", docs+"/"+id, fmt.Sprintf(`{"operations":[{"op":"set","path":"/n","value":%d},{"op":"set","path":"/k","value":"y"}]}`, next.N), header...).status(200, "")
		m.change(m.now, u, &changed)
	case 12, 13, 14:
		if a := m.send("DELETE", docs+"/"+id, "", header...); a.Code == 204 {
			m.change(m.now, u, nil)
		}
	case 15: // a batch that writes, deletes and writes again, or fails
		fails := m.random.IntN(2) == 0
		last := `{"operationType":"Create","resourceBody":` + string(body) + `}`
		if fails {
			last += `,{"operationType":"Delete","id":"none"}`
		}
		batch := fmt.Sprintf(`[{"operationType":"Upsert","resourceBody":%s},{"operationType":"Delete","id":%q},%s]`, body, id, last)
		a := m.send("POST", docs, batch, append(header, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True")...)
		if fails {
			a.status(207, "")
			return
		}
		a.status(200, "")
		next.rid = m.send("GET", docs+"/"+id, "", header...).json()["_rid"].(string)
		m.change(m.now, u, nil)
		m.change(m.now, u, next)
	case 16, 17, 22:
		m.reshape()
	case 18:
		m.paused = !m.paused
		if m.paused {
			m.PauseIndexes()
		} else {
			m.ResumeIndexes()
		}
		m.from = m.now
	case 19:
		m.lag = []int64{0, 4, 15}[m.random.IntN(3)]
		m.from = m.now
		m.SetIndexLag(time.Duration(m.lag) * time.Second)
	case 20:
		if len(m.indexes) < 4 && m.random.IntN(3) > 0 {
			m.add()
		} else if len(m.indexes) > 0 {
			i := m.random.IntN(len(m.indexes))
			m.send("DELETE", "/dbs/db/colls/"+m.indexes[i].id, "").status(204, "")
			m.indexes = slices.Delete(m.indexes, i, i+1)
		}
	case 21:
		m.restart()
	case 23: // in the order of their creation, which the model does not know: each is an event of its own
		m.deleteKey(header[1]).status(200, "")
		for _, d := range slices.Collect(maps.Values(m.docs)) {
			if d.PK == pk {
				m.change(m.now, d.U, nil)
			}
		}
	default:
		m.pass(m.random.Int64N(20))
	}
	m.catchUp()
}

// add creates an index.
func (m *indexModel) add() {
	x := &modelIndex{id: fmt.Sprint("i", m.created), created: m.now, all: m.random.IntN(2) == 0, state: map[string]*modelled{}}
	definition := "SELECT c.k, c.n, c.u FROM c"
	if x.all {
		definition = "SELECT * FROM c"
	}
	m.index(x.id, "/k", definition)
	m.created++
	m.indexes = append(m.indexes, x)
}

// reshape splits or merges physical partitions of the source or of an index.
func (m *indexModel) reshape() {
	name := "c"
	if i := m.random.IntN(len(m.indexes) + 1); i > 0 {
		name = m.indexes[i-1].id
	}
	var feed struct {
		PartitionKeyRanges []struct{ ID string }
	}
	if err := json.Unmarshal(m.send("GET", "/dbs/db/colls/"+name+"/pkranges", "").Body.Bytes(), &feed); err != nil {
		m.t.Fatal(err)
	}
	ranges := feed.PartitionKeyRanges
	i := m.random.IntN(len(ranges))
	var err error
	if i > 0 && m.random.IntN(2) == 0 && m.options.AllVersions == 0 {
		err = m.Merge("db", name, ranges[i-1].ID, ranges[i].ID)
	} else if len(ranges) < 6 {
		err = m.Split("db", name, ranges[i].ID)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// restart ends the server, and starts another one with what is kept. It may end while
// changes reach an index. A pause is not kept, so that an index that it holds up would be
// built with later writes.
func (m *indexModel) restart() {
	touch := func() *memory {
		for _, x := range m.indexes {
			m.documents(x.id)
		}
		return m.options.Records.(*memory)
	}
	if slices.ContainsFunc(m.indexes, func(x *modelIndex) bool { return !x.built }) {
		return
	}
	kept := touch()
	kept.keep(len(kept.last))
	m.pass(5)
	touch()
	kept.keep(m.random.IntN(len(kept.last) + 1))
	m.options.IndexLag = time.Duration(m.lag) * time.Second
	m.paused, m.from = false, 0
	m.start()
}

func (m *indexModel) start() {
	m.rig = newRig(m.t, m.options)
}

// TestIndexModel writes to a container with indexes at random: keys change, documents expire,
// physical partitions split and merge on both sides, the lag changes, indexes pause, and the
// server ends at any moment. At each time an index has one entry for each document that the
// source had a lag ago, under the right key.
func TestIndexModel(t *testing.T) {
	const steps = 300
	for seed := range uint64(seeds.Rows(t, 12, 3)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			m := &indexModel{random: rand.New(rand.NewPCG(seed, 7)), now: 1_900_000_000, docs: map[string]*modelled{}, ids: map[string]string{}}
			m.options = Options{
				Partitions: 1 + m.random.IntN(3), AllVersions: time.Duration(seed%2) * time.Hour,
				Records: &memory{tables: map[string]map[string][]byte{}},
				Clock:   func() time.Time { return time.Unix(m.now, 0) },
			}
			m.rig = &rig{t: t}
			m.start()
			m.container(hashDefinition + `,"defaultTtl":-1`)
			m.add()
			for i := range steps {
				m.step()
				if m.random.IntN(3) == 0 {
					m.check(i)
				}
			}
			if m.paused {
				m.paused, m.from = false, m.now
				m.ResumeIndexes()
			}
			m.pass(1 + 2*m.lag)
			m.lag, m.from = 0, m.now
			m.SetIndexLag(0)
			m.catchUp()
			m.check(steps)
			for _, x := range m.indexes {
				if !maps.Equal(x.state, m.docs) {
					t.Errorf("%s: the model itself has %d of %d documents", x.id, len(x.state), len(m.docs))
				}
			}
		})
	}
}

// TestIndexAfterARestart has an index that is newer than all versions that its source has
// kept: the numbers of later versions are above its position.
func TestIndexAfterARestart(t *testing.T) {
	kept := &memory{tables: map[string]map[string][]byte{}}
	r := newRig(t, Options{Records: kept})
	r.container("")
	r.index("first", "/pk", "SELECT * FROM c")
	for i := range 9 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"}`, i))
	}
	r.send("DELETE", "/dbs/db/colls/first", "").status(204, "")
	r.index("second", "/pk", "SELECT c.pk FROM c")
	if n := len(r.entries("second")); n != 9 {
		t.Fatalf("%d entries", n)
	}
	kept.keep(len(kept.last))
	r = newRig(t, Options{Records: kept})
	r.create(`["a"]`, `{"id":"last","pk":"a"}`)
	if n := len(r.entries("second")); n != 10 {
		t.Errorf("%d entries after a restart", n)
	}
}
