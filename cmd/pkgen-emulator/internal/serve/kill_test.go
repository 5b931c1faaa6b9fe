package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 4, "how often TestEmulatorKilled kills the emulator")

// emulatorProcess is pkgen-emulator in a process of its own.
type emulatorProcess struct {
	command  *exec.Cmd
	endpoint string
	stderr   lockedBuffer
}

// startEmulator starts a process. The test binary is pkgen under that name.
func startEmulator(t *testing.T, args ...string) *emulatorProcess {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary)
	command.Args = append([]string{"pkgen-emulator", "-http", "-addr", "127.0.0.1:0"}, args...)
	return start(t, command)
}

// start starts a command that is an emulator in the end.
func start(t *testing.T, command *exec.Cmd) *emulatorProcess {
	t.Helper()
	p := &emulatorProcess{command: command}
	p.command.Stderr = &p.stderr
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for p.endpoint == "" && lines.Scan() {
		if _, text, ok := strings.Cut(lines.Text(), "AccountEndpoint="); ok {
			p.endpoint, _, _ = strings.Cut(text, ";")
		}
	}
	if p.endpoint == "" {
		p.kill()
		t.Fatalf("the emulator did not start: %s", p.stderr.String())
	}
	return p
}

// kill ends a process at once.
func (p *emulatorProcess) kill() {
	_ = p.command.Process.Kill() // it may have ended
	_ = p.command.Wait()         // it was killed
}

// says returns what the process has written to stderr, which arrives through a pipe: it waits up to
// ten seconds for a text.
func (p *emulatorProcess) says(text string) string {
	for range 200 {
		if strings.Contains(p.stderr.String(), text) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return p.stderr.String()
}

// send sends a request. The error is about the connection.
func (p *emulatorProcess) send(method, path string, body any, headers ...string) (status int, header http.Header, text []byte, err error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return 0, nil, nil, err
	}
	r, err := http.NewRequest(method, p.endpoint+path, bytes.NewReader(sent))
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Authorization", "type%3Daad%26ver%3D1.0%26sig%3Dx")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header, text, err
}

// must sends a request that has to succeed.
func (p *emulatorProcess) must(t *testing.T, method, path string, body any, headers ...string) (http.Header, []byte) {
	t.Helper()
	status, header, text, err := p.send(method, path, body, headers...)
	if err != nil || status >= 300 && status != http.StatusNotModified {
		t.Fatalf("%s %s: status %d, %v: %s", method, path, status, err, text)
	}
	return header, text
}

// stored is a document as the model knows it.
type stored struct {
	ID   string `json:"id"`
	PK   string `json:"pk"`
	N    int    `json:"n"`
	ETag string `json:"_etag,omitempty"`
}

// writer writes the documents of one logical partition, and knows what they are.
type writer struct {
	pk    string
	next  int
	known map[string]stored
	// unsure is what was under way when the emulator was killed: nil for a deletion.
	unsure map[string]*stored
}

func (w *writer) document(id string) stored {
	w.next++
	return stored{ID: id, PK: w.pk, N: w.next}
}

// write makes one write. It returns false when the connection is lost.
func (w *writer) write(t *testing.T, p *emulatorProcess, r *rand.Rand) bool {
	key := []string{"x-ms-documentdb-partitionkey", `["` + w.pk + `"]`}
	some := func() stored {
		ids := make([]string, 0, len(w.known))
		for id := range w.known {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return w.known[ids[r.IntN(len(ids))]]
	}
	const docs = "dbs/d/colls/c/docs"
	switch kind := r.IntN(10); {
	case len(w.known) < 3 || kind < 3 && len(w.known) < 40:
		d := w.document(fmt.Sprintf("%s-%d", w.pk, w.next))
		return w.settle(t, p, map[string]*stored{d.ID: &d}, "POST", docs, d, key...)
	case kind < 6:
		old := some()
		d := w.document(old.ID)
		return w.settle(t, p, map[string]*stored{d.ID: &d}, "PUT", docs+"/"+d.ID, d, append(key, "If-Match", old.ETag)...)
	case kind < 8:
		old := some()
		return w.settle(t, p, map[string]*stored{old.ID: nil}, "DELETE", docs+"/"+old.ID, nil, append(key, "If-Match", old.ETag)...)
	default:
		old, a := some(), w.document(fmt.Sprintf("%s-%d", w.pk, w.next))
		b := w.document(fmt.Sprintf("%s-%d", w.pk, w.next))
		return w.settle(t, p, map[string]*stored{old.ID: nil, a.ID: &a, b.ID: &b}, "POST", docs, []map[string]any{
			{"operationType": "Create", "resourceBody": a},
			{"operationType": "Delete", "id": old.ID, "ifMatch": old.ETag},
			{"operationType": "Create", "resourceBody": b},
		}, append(key, "x-ms-cosmos-is-batch-request", "true", "x-ms-cosmos-batch-atomic", "true")...)
	}
}

// settle sends a write and takes its effect into the model.
func (w *writer) settle(t *testing.T, p *emulatorProcess, effect map[string]*stored, method, path string, body any, headers ...string) bool {
	status, _, text, err := p.send(method, path, body, headers...)
	if err != nil {
		w.unsure = effect
		return false
	}
	if status != http.StatusOK && status != http.StatusCreated && status != http.StatusNoContent {
		t.Errorf("%s %s %v: status %d: %s", method, path, headers, status, text)
		return false
	}
	var one stored
	var batch []struct {
		Body *stored `json:"resourceBody"`
	}
	_ = json.Unmarshal(text, &one) // it is one of the two, or neither
	_ = json.Unmarshal(text, &batch)
	for id, d := range effect {
		if d == nil {
			delete(w.known, id)
			continue
		}
		if one.ID == id {
			d.ETag = one.ETag
		}
		for _, result := range batch {
			if result.Body != nil && result.Body.ID == id {
				d.ETag = result.Body.ETag
			}
		}
		w.known[id] = *d
	}
	return true
}

// check compares a logical partition with the model, and goes on from what is stored. The
// last write may have taken effect as a whole or not at all.
func (w *writer) check(t *testing.T, p *emulatorProcess) {
	_, text := p.must(t, "GET", "dbs/d/colls/c/docs", nil, "x-ms-documentdb-partitionkey", `["`+w.pk+`"]`, "x-ms-max-item-count", "1000")
	var page struct{ Documents []stored }
	if err := json.Unmarshal(text, &page); err != nil {
		t.Fatal(err)
	}
	got := map[string]stored{}
	for _, d := range page.Documents {
		got[d.ID] = d
	}
	differs := func(with map[string]*stored) string {
		want := map[string]stored{}
		maps.Copy(want, w.known)
		for id, d := range with {
			if delete(want, id); d != nil {
				want[id] = *d
			}
		}
		for id, d := range want {
			if found, ok := got[id]; !ok || found.N != d.N || d.ETag != "" && found.ETag != d.ETag {
				return fmt.Sprintf("%s is %+v, want %+v", id, found, d)
			}
		}
		if len(want) != len(got) {
			return fmt.Sprintf("there are %d documents, want %d", len(got), len(want))
		}
		return ""
	}
	without := differs(nil)
	if without != "" && (w.unsure == nil || differs(w.unsure) != "") {
		t.Errorf("%s: %s; with the last write, %v: %s", w.pk, without, w.unsure, differs(w.unsure))
	}
	w.known, w.unsure = got, nil
}

// feedReader reads the change feed of all physical partitions, over restarts and splits.
type feedReader struct {
	all     bool              // all versions and deletions
	cursors map[string]string // by id of the range
	seen    map[string]string // the last ETag of each document
}

// change is a line of either feed.
type change struct {
	stored

	Current  stored
	Metadata struct{ OperationType, ID string }
}

// apply does to what has been seen what a change did.
func (f *feedReader) apply(t *testing.T, c change) {
	if !f.all {
		f.seen[c.ID] = c.ETag
		return
	}
	id := c.Current.ID + c.Metadata.ID // one of them
	if _, known := f.seen[id]; known == (c.Metadata.OperationType == "create") {
		t.Errorf("the log has %s of %s, which exists: %t", c.Metadata.OperationType, id, known)
	}
	if c.Metadata.OperationType == "delete" {
		delete(f.seen, id)
		return
	}
	f.seen[id] = c.Current.ETag
}

func (f *feedReader) read(t *testing.T, p *emulatorProcess) {
	_, text := p.must(t, "GET", "dbs/d/colls/c/pkranges", nil)
	var list struct {
		Ranges []struct {
			ID      string
			Parents []string
		} `json:"PartitionKeyRanges"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	cursors := map[string]string{}
	for _, r := range list.Ranges {
		cursor := f.cursors[r.ID]
		for _, parent := range slices.Backward(r.Parents) {
			if cursor == "" {
				cursor = f.cursors[parent]
			}
		}
		for {
			headers := []string{"A-IM", "Incremental feed", "x-ms-documentdb-partitionkeyrangeid", r.ID, "x-ms-max-item-count", "50"}
			if f.all {
				headers[1] = "Full-Fidelity Feed"
				headers = append(headers, "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
				cursor = cmp.Or(cursor, `"0"`)
			}
			if cursor != "" {
				headers = append(headers, "If-None-Match", cursor)
			}
			header, text := p.must(t, "GET", "dbs/d/colls/c/docs", nil, headers...)
			cursor = header.Get("etag")
			var page struct{ Documents []change }
			if len(text) > 0 {
				if err := json.Unmarshal(text, &page); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range page.Documents {
				f.apply(t, c)
			}
			if len(page.Documents) == 0 {
				break
			}
		}
		cursors[r.ID] = cursor
	}
	f.cursors = cursors
}

// check compares what the log of all versions leads to with what is stored.
func (f *feedReader) check(t *testing.T, writers []*writer) {
	want := map[string]string{}
	for _, w := range writers {
		for id, d := range w.known {
			want[id] = d.ETag
		}
	}
	if !maps.Equal(f.seen, want) {
		t.Errorf("the log of all versions leads to %d documents, and %d are stored, or their ETags differ", len(f.seen), len(want))
	}
}

// TestEmulatorKilled kills an emulator with a data folder while clients write. Each time, all
// acknowledged writes are there with their ETags, a write without an answer has taken effect
// as a whole or not at all, the change feed goes on from its last position, and the log of
// all versions and deletions leads to what is stored.
func TestEmulatorKilled(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dir := t.TempDir()
	writers := make([]*writer, 8)
	for i := range writers {
		writers[i] = &writer{pk: fmt.Sprintf("w%d", i), known: map[string]stored{}}
	}
	feed := &feedReader{seen: map[string]string{}}
	log := &feedReader{all: true, seen: map[string]string{}}
	p := startEmulator(t, "-data", dir, "-all-versions", "1h")
	p.must(t, "POST", "dbs", map[string]string{"id": "d"})
	p.must(t, "POST", "dbs/d/colls", map[string]any{"id": "c", "partitionKey": map[string]any{"paths": []string{"/pk"}, "kind": "Hash", "version": 2}})
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range *kills {
		var running sync.WaitGroup
		for i, w := range writers {
			running.Go(func() {
				own := rand.New(rand.NewPCG(seed, uint64(round*100+i+1)))
				for w.write(t, p, own) {
				}
			})
		}
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		if round == *kills/2 { // the feed is in the middle of its partition when that splits
			feed.read(t, p)
			_, text := p.must(t, "GET", "offers", nil)
			var list struct{ Offers []map[string]any }
			if err := json.Unmarshal(text, &list); err != nil || len(list.Offers) != 1 {
				t.Fatalf("%v: %s", err, text)
			}
			offer := list.Offers[0]
			offer["content"] = map[string]any{"offerThroughput": 30000}
			p.must(t, "PUT", "offers/"+offer["id"].(string), offer)
		}
		p.kill()
		running.Wait()
		http.DefaultClient.CloseIdleConnections()
		p = startEmulator(t, "-data", dir, "-all-versions", "1h")
		for _, w := range writers {
			w.check(t, p)
		}
		feed.read(t, p)
		log.read(t, p)
		log.check(t, writers)
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	p.kill()
	documents := 0
	for _, w := range writers {
		documents += len(w.known)
		for id, d := range w.known {
			if feed.seen[id] != d.ETag {
				t.Errorf("the change feed has not shown %s with ETag %s", id, d.ETag)
			}
		}
	}
	if len(feed.cursors) != 3 {
		t.Errorf("there are %d physical partitions, want 3", len(feed.cursors))
	}
	t.Logf("%d kills, %d documents", *kills, documents)
}
