package serve

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

const fixture = `{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}
{"id":"1","pk":"a"}

{"id":"2","pk":"b"}
`

// serveOnce starts an emulator, and ends it as soon as it is ready. It returns what the
// emulator wrote to standard output and to standard error.
func serveOnce(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errs bytes.Buffer
	code = run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), io.MultiWriter(&out, writerFunc(func(b []byte) {
		if bytes.Contains(b, []byte("COSMOS_CONNECTION_STRING")) {
			stop()
		}
	})), &errs)
	return code, out.String(), errs.String()
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

// TestEmulatorData loads a file, keeps it, dumps it, and meets damage.
func TestEmulatorData(t *testing.T) {
	dir := t.TempDir()
	data, file := filepath.Join(dir, "data"), filepath.Join(dir, "orders.ndjson")
	if err := os.WriteFile(file, []byte(fixture), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := serveOnce(t, "-http", "-data", data, "-load", file)
	if code != cli.Done || !strings.Contains(out, "container orders: 2 documents from ") || !strings.Contains(out, "AccountEndpoint=http://127") || strings.Contains(out, "certificate") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	if code, out, errs := serveOnce(t, "-http", "-data", data, "-load", file); code != cli.Done || !strings.Contains(out, "container orders exists") {
		t.Errorf("again: exit code %d: %s%s", code, out, errs)
	}
	bad := filepath.Join(dir, "bad.ndjson")
	if err := os.WriteFile(bad, []byte(strings.Replace(strings.Replace(fixture, "orders", "bad", 1), `"b"`, `[]`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := serveOnce(t, "-http", "-data", data, "-load", bad); code != cli.Failed || !strings.Contains(errs, bad+": line 4: ") {
		t.Errorf("a wrong line: exit code %d: %s", code, errs)
	}
	out2 := filepath.Join(dir, "out")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"dump", "-data", data, "-o", out2}, &stdout, &stderr); code != cli.Done {
		t.Errorf("dump: exit code %d: %s", code, stderr.String())
	}
	name := filepath.Join(out2, "shop.orders.ndjson")
	text, err := os.ReadFile(name)
	if err != nil || stdout.String() != name+"\n" || !strings.HasSuffix(string(text), `"ends":true}`+"\n"+`{"id":"1","pk":"a"}`+"\n"+`{"id":"2","pk":"b"}`+"\n"+`{"end":{"documents":2}}`+"\n") {
		t.Errorf("%v: dump wrote %s: %s", err, stdout.String(), text)
	}
	db := filepath.Join(data, "emulator.db")
	text, err = os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte(`"pk":"b"`)) // in an older page, or in the present one
	for ; at >= 0; at = bytes.LastIndex(text, []byte(`"pk":"b"`)) {
		text[at] = '?'
	}
	if err := os.WriteFile(db, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := serveOnce(t, "-http", "-data", data); code != cli.Failed || !strings.Contains(errs, db+" is damaged: ") ||
		!strings.Contains(errs, "1 databases, 1 containers and 1 documents are whole: save them with pkgen-emulator dump") {
		t.Errorf("damage: exit code %d: %s", code, errs)
	}
	stdout.Reset()
	saved := filepath.Join(dir, "saved")
	code = run(t.Context(), []string{"dump", "-data", data, "-o", saved}, &stdout, &stderr)
	text, err = os.ReadFile(filepath.Join(saved, "shop.orders.ndjson"))
	if code != cli.Failed || err != nil || !strings.HasSuffix(string(text), `"ends":true}`+"\n"+`{"id":"1","pk":"a"}`+"\n"+`{"end":{"documents":1}}`+"\n") {
		t.Errorf("dump of damage: exit code %d, %v: %s", code, err, text)
	}
	if code := run(t.Context(), []string{"dump"}, io.Discard, &stderr); code != cli.Failed {
		t.Errorf("dump without folders: exit code %d", code)
	}
}

// TestEmulatorAhead starts an emulator several times: the clock is as far ahead as the flag
// says, and never earlier than what is stored.
func TestEmulatorAhead(t *testing.T) {
	dir := t.TempDir()
	ahead := func(p *emulatorProcess) time.Duration {
		t.Helper()
		header, _ := p.must(t, "GET", "dbs", nil)
		date, err := http.ParseTime(header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		return time.Until(date).Round(time.Minute)
	}
	p := startEmulator(t, "-data", dir, "-ahead", "25h")
	if got := ahead(p); got != 25*time.Hour {
		t.Errorf("the clock is %v ahead", got)
	}
	p.must(t, "POST", "dbs", map[string]string{"id": "d"})
	p.must(t, "POST", "dbs/d/colls", map[string]any{"id": "c", "partitionKey": map[string]any{"paths": []string{"/pk"}, "kind": "Hash", "version": 2}})
	p.must(t, "POST", "dbs/d/colls/c/docs", map[string]string{"id": "1", "pk": "a"}, "x-ms-documentdb-partitionkey", `["a"]`)
	p.kill()
	for _, test := range []struct {
		flag string
		want time.Duration
		says bool
	}{{"25h", 25 * time.Hour, false}, {"0", 25 * time.Hour, true}, {"1h", 25 * time.Hour, true}, {"30h", 30 * time.Hour, false}} {
		p := startEmulator(t, "-data", dir, "-ahead", test.flag)
		if got := ahead(p); got != test.want {
			t.Errorf("-ahead %s: the clock is %v ahead, want %v", test.flag, got, test.want)
		}
		p.kill()
		if says := strings.Contains(p.stderr.String(), "were written at that time"); says != test.says {
			t.Errorf("-ahead %s: stderr is %q", test.flag, p.stderr.String())
		}
	}
}

// TestTrust reads the lines for each language, and the trust store as Java does.
func TestTrust(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "a.pem")
	_, out, errs := serveOnce(t, "-cert", cert)
	for _, want := range []string{"SSL_CERT_FILE=" + cert, "NODE_EXTRA_CA_CERTS=" + cert, "REQUESTS_CA_BUNDLE=" + cert, "trustStore=" + strings.TrimSuffix(cert, "pem") + "p12"} {
		if !strings.Contains(out, want+"\n") && !strings.Contains(out, want+" ") {
			t.Errorf("%q is not in %s%s", want, out, errs)
		}
	}
	keytool, err := exec.LookPath("keytool")
	if err != nil {
		t.Log("NOT RUN: there is no keytool")
		return
	}
	list, err := exec.Command(keytool, "-list", "-storetype", "PKCS12", "-storepass", trustPassword, "-keystore", strings.TrimSuffix(cert, "pem")+"p12").CombinedOutput()
	if err != nil || !strings.Contains(string(list), "trustedCertEntry") {
		t.Errorf("%v: %s", err, list)
	}
}
