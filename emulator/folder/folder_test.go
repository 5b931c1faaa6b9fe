package folder_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a server with the data of a folder, and what closes the folder.
func open(t *testing.T, dir string, o server.Options) (*server.Server, func()) {
	t.Helper()
	records, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.Records = records
	s, err := server.New(o)
	if err != nil {
		t.Fatal(errors.Join(err, records.Close()))
	}
	return s, func() {
		if err := records.Close(); err != nil {
			t.Error(err)
		}
	}
}

// send sends a request to a server.
func send(s *server.Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "type%3Daad%26ver%3D1.0%26sig%3Dx")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	for name, values := range w.Header() { // in lower case, as they are sent
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return w
}

// must sends a request that has to succeed, and returns the body of the answer.
func must(t *testing.T, s *server.Server, method, path, body string, headers ...string) string {
	t.Helper()
	w := send(s, method, path, body, headers...)
	if w.Code >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.String()
}

const orders = `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1,` +
	`"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]},"indexingPolicy":{"compositeIndexes":[[{"path":"/a","order":"ascending"},{"path":"/b","order":"descending"}]]}}`

// fill makes databases, containers, throughput, documents, deletions and a split.
func fill(t *testing.T, s *server.Server) {
	t.Helper()
	must(t, s, "POST", "/dbs", `{"id":"shop"}`)
	must(t, s, "POST", "/dbs", `{"id":"shared"}`, "x-ms-offer-throughput", "1000")
	must(t, s, "POST", "/dbs", `{"id":"gone"}`)
	must(t, s, "POST", "/dbs/shop/colls", orders, "x-ms-offer-throughput", "20000")
	must(t, s, "POST", "/dbs/shared/colls", `{"id":"levels","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2},"geospatialConfig":{"type":"Geometry"},`+
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32","dimensions":3,"distanceFunction":"euclidean"}]}}`)
	must(t, s, "POST", "/dbs/gone/colls", `{"id":"gone","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for i := range 200 {
		pk := fmt.Sprintf(`["p%d"]`, i%7)
		must(t, s, "POST", "/dbs/shop/colls/orders/docs", fmt.Sprintf(`{"id":"o%d","pk":"p%d","mail":"m%d","text":%q,"ttl":100000}`, i, i%7, i, strings.Repeat("x", i)),
			"x-ms-documentdb-partitionkey", pk)
		if i%5 == 0 {
			must(t, s, "DELETE", fmt.Sprintf("/dbs/shop/colls/orders/docs/o%d", i), "", "x-ms-documentdb-partitionkey", pk)
		}
	}
	must(t, s, "POST", "/dbs/shared/colls/levels/docs", `{"id":"1","a":"x","b":null,"é<&>":"\u2028"}`, "x-ms-documentdb-partitionkey", `["x",null]`)
	must(t, s, "POST", "/dbs/shared/colls/levels/docs", `{"id":"1","a":"x","at":{"type":"Point","coordinates":[300,4]},"v":[2,3,6]}`, "x-ms-documentdb-partitionkey", `["x",{}]`)
	must(t, s, "DELETE", "/dbs/gone", "")
	if err := s.Split("shop", "orders", "1"); err != nil {
		t.Fatal(err)
	}
	must(t, s, "PUT", "/dbs/shop/colls/orders", strings.Replace(orders, `"defaultTtl":-1`, `"defaultTtl":500000`, 1))
}

// everything returns what clients can see of the account of fill.
func everything(t *testing.T, s *server.Server) string {
	t.Helper()
	var b strings.Builder
	for _, path := range []string{"/dbs", "/dbs/shop/colls", "/dbs/shared/colls", "/offers"} {
		b.WriteString(must(t, s, "GET", path, "") + "\n")
	}
	ranges := must(t, s, "GET", "/dbs/shop/colls/orders/pkranges", "")
	for _, line := range strings.SplitAfter(ranges, ",") {
		if !strings.HasPrefix(line, `"_ts"`) { // the time of the request
			b.WriteString(line)
		}
	}
	for _, id := range []string{"0", "2", "3"} {
		w := send(s, "GET", "/dbs/shop/colls/orders/docs", "", "A-IM", "Incremental feed", "x-ms-documentdb-partitionkeyrangeid", id, "x-ms-max-item-count", "-1")
		fmt.Fprintf(&b, "\n%s: %d %s %s", id, w.Code, w.Header().Get("etag"), w.Body)
	}
	w := send(s, "GET", "/dbs/shared/colls/levels/docs", "", "x-ms-documentdb-partitionkeyrangeid", "0")
	b.Write(w.Body.Bytes())
	b.WriteString(must(t, s, "POST", "/dbs/shared/colls/levels/docs", `{"query":"SELECT VALUE [ST_DISTANCE(c.at, {type: 'Point', coordinates: [300, 0]}), VectorDistance(c.v, [0, 0, 0])] FROM c WHERE IS_DEFINED(c.v)"}`,
		"x-ms-documentdb-query", "True", "Content-Type", "application/query+json", "x-ms-documentdb-partitionkeyrangeid", "0"))
	return b.String()
}

// TestRestart compares all that clients see before and after a restart.
func TestRestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	s, end := open(t, dir, server.Options{})
	fill(t, s)
	must(t, s, "POST", "/dbs/shop/colls/orders/operations/partitionkeydelete", "", "x-ms-documentdb-partitionkey", `["p6"]`)
	want := everything(t, s)
	if strings.Contains(want, `"pk":"p6"`) || !strings.HasSuffix(want, `"Documents":[[4,7]],"_count":1}`) {
		t.Errorf("a key is not deleted, or the policies have no effect: %s", want)
	}
	end()
	s, end = open(t, dir, server.Options{})
	if got := everything(t, s); got != want {
		t.Errorf("after a restart:\n%s\nbefore:\n%s", got, want)
	}
	w := send(s, "POST", "/dbs/shop/colls/orders/docs", `{"id":"new","pk":"p1","mail":"m1"}`, "x-ms-documentdb-partitionkey", `["p1"]`)
	if w.Code != http.StatusConflict {
		t.Errorf("a unique key does not hold after a restart: %d %s", w.Code, w.Body)
	}
	s.Reset()
	end()
	s, end = open(t, dir, server.Options{})
	defer end()
	if got := must(t, s, "GET", "/dbs", ""); !strings.Contains(got, `"_count":0`) {
		t.Errorf("after Reset: %s", got)
	}
}

// TestContinuation goes on with a continuation token after a restart.
func TestContinuation(t *testing.T) {
	dir := t.TempDir()
	s, end := open(t, dir, server.Options{})
	fill(t, s)
	read := func(s *server.Server, token string) *httptest.ResponseRecorder {
		return send(s, "GET", "/dbs/shop/colls/orders/docs", "", "x-ms-documentdb-partitionkey", `["p3"]`, "x-ms-max-item-count", "5", "x-ms-continuation", token)
	}
	token := read(s, "").Header().Get("x-ms-continuation")
	want := read(s, token).Body.String()
	end()
	s, end = open(t, dir, server.Options{})
	defer end()
	if got := read(s, token).Body.String(); got != want || token == "" {
		t.Errorf("with the token %q: %s, want %s", token, got, want)
	}
}

// TestRefused opens folders that cannot be used.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	s, end := open(t, dir, server.Options{Serverless: true})
	must(t, s, "POST", "/dbs", `{"id":"shop"}`)
	if _, err := folder.Open(dir); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder is opened twice: %v", err)
	}
	end()
	records, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.New(server.Options{Records: records}); err == nil || !strings.Contains(err.Error(), "serverless=true") {
		t.Errorf("a serverless account is opened as another: %v", err)
	}
	if err := records.Close(); err != nil {
		t.Error(err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Open(foreign); err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("a folder of others is used: %v", err)
	}
}

// TestDamage changes the file in many ways. Either the server has everything, or there is an
// error that names the file.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s, end := open(t, dir, server.Options{})
	fill(t, s)
	want := everything(t, s)
	end()
	whole, err := os.ReadFile(filepath.Join(dir, "emulator.db"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	damages := map[string][]byte{
		"empty": {}, "foreign": []byte(strings.Repeat("a text of somebody else\n", 2000)),
		"half": whole[:len(whole)/2], "a page short": whole[:len(whole)-4096], "zeros": make([]byte, len(whole)),
	}
	for i := range 300 {
		b := bytes.Clone(whole)
		at := random.IntN(len(b))
		b[at] ^= 1 << random.IntN(8)
		damages[fmt.Sprintf("bit %d at %d", i, at)] = b
	}
	for i := range 60 {
		b := bytes.Clone(whole)
		from, to := random.IntN(len(b)/4096), random.IntN(len(b)/4096)
		copy(b[to*4096:(to+1)*4096], b[from*4096:(from+1)*4096])
		damages[fmt.Sprintf("copy %d of page %d to %d", i, from, to)] = b
	}
	refused := 0
	for name, b := range damages {
		damaged := t.TempDir()
		if err := os.WriteFile(filepath.Join(damaged, "emulator.db"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		records, err := folder.Open(damaged)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, err := server.New(server.Options{Records: records})
		if err == nil {
			if got := everything(t, s); got != want {
				t.Errorf("%s: the server starts with something else: %s", name, got)
			}
		} else if refused++; !strings.Contains(err.Error(), filepath.Join(damaged, "emulator.db")+" is damaged") {
			t.Errorf("%s: %v", name, err)
		}
		if err := records.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.ReadFile(filepath.Join(damaged, "emulator.db"))
		if refused > 0 && (err != nil || len(b) > 0 && !bytes.Equal(after, b) && s == nil) {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
	}
	if refused < 100 {
		t.Errorf("only %d of %d damaged files are refused", refused, len(damages))
	}
	t.Logf("%d of %d files refused; the others have damage in free pages", refused, len(damages))
}

// TestDump writes files that load to an equal account.
func TestDump(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	s, end := open(t, dir, server.Options{})
	fill(t, s)
	end()
	files, err := folder.Dump(dir, out)
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	if _, err := folder.Dump(dir, out); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("files are replaced: %v", err)
	}
	second := t.TempDir()
	s, end = open(t, second, server.Options{})
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if loaded, err := s.Load(bytes.NewReader(text)); err != nil || loaded.Existed {
			t.Fatalf("%s: %+v, %v", name, loaded, err)
		}
		if loaded, err := s.Load(bytes.NewReader(text)); err != nil || !loaded.Existed {
			t.Errorf("%s, again: %+v, %v", name, loaded, err)
		}
	}
	end()
	again := filepath.Join(t.TempDir(), "again")
	if _, err := folder.Dump(second, again); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		one, err1 := os.ReadFile(name)
		two, err2 := os.ReadFile(filepath.Join(again, filepath.Base(name)))
		// The split is not in the dump: documents come in another order.
		if err := errors.Join(err1, err2); err != nil || len(one) != len(two) {
			t.Errorf("%s differs after a load: %v\n%s\n%s", name, err, one, two)
		}
	}
}

// TestDumpOfStrangeNames checks that containers have a file each whose names look alike with a
// dot between database and container, or are too long for a file.
func TestDumpOfStrangeNames(t *testing.T) {
	dir := t.TempDir()
	s, end := open(t, dir, server.Options{})
	long := strings.Repeat("x", 250)
	for _, name := range [][2]string{{"a", "b.c"}, {"a.b", "c"}, {"a.b.c", ""}, {long, long}, {long + "y", long}} {
		must(t, s, "POST", "/dbs", fmt.Sprintf(`{"id":%q}`, name[0]))
		if name[1] != "" {
			must(t, s, "POST", "/dbs/"+name[0]+"/colls", fmt.Sprintf(`{"id":%q,"partitionKey":%s}`, name[1], versionV2))
		}
	}
	end()
	if files, err := folder.Dump(dir, t.TempDir()); err != nil || len(files) != 5 {
		t.Errorf("%q, %v", files, err)
	}
}
