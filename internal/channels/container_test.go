package channels

import (
	"bufio"
	"context"
	"debug/elf"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// instruction is a line of a Containerfile.
type instruction struct{ name, text string }

// containerfile returns the instructions of a Containerfile.
func containerfile(t *testing.T, name string) []instruction {
	t.Helper()
	var all []instruction
	lines := bufio.NewScanner(strings.NewReader(readFile(t, name)))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasSuffix(line, `\`) {
			t.Fatalf("this test reads no line that goes on: %s", line)
		}
		name, text, _ := strings.Cut(line, " ")
		all = append(all, instruction{name, strings.TrimSpace(text)})
	}
	return all
}

// texts returns the texts of the instructions of a name.
func texts(all []instruction, name string) []string {
	var found []string
	for _, i := range all {
		if i.name == name {
			found = append(found, i.text)
		}
	}
	return found
}

var tagged = regexp.MustCompile(`^[\w./-]+:\d+\.\d+\.\d+ AS build$`)

// TestContainer runs the commands of the Containerfile on this machine. The program that they
// build has to be static, and has to serve in a root that is empty but for it, with no
// environment, as another user, and on all addresses.
func TestContainer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Logf("NOT RUN: containers are for Linux")
		return
	}
	all := containerfile(t, "emulator/Containerfile")
	if from := texts(all, "FROM"); len(from) != 2 || !tagged.MatchString(from[0]) || from[1] != "scratch" {
		t.Fatalf("the images are %q", from)
	}
	if users := texts(all, "USER"); !slices.Equal(users, []string{"65532:65532"}) {
		t.Errorf("the users are %q", users)
	}
	root := t.TempDir()
	out := t.TempDir()
	for _, command := range texts(all, "RUN") {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", strings.ReplaceAll(command, "/out/", out+"/"))
		cmd.Dir = rootPath(t, ".")
		cmd.Env = append(append(os.Environ(), "GOWORK=off"), texts(all, "ENV")...)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
	}
	for _, copied := range texts(all, "COPY") {
		from, to, _ := strings.Cut(strings.TrimPrefix(copied, "--from=build "), " ")
		switch {
		case strings.HasPrefix(from, "/out/"):
			text := read(t, filepath.Join(out, filepath.Base(from)))
			write(t, filepath.Join(root, to), text)
			if err := os.Chmod(filepath.Join(root, to), 0o755); err != nil {
				t.Fatal(err)
			}
		case from != ".":
			write(t, filepath.Join(root, to), readFile(t, from))
		}
	}
	program := filepath.Join(root, "pkgen-emulator")
	static(t, program)

	var entry, arguments []string
	for name, list := range map[string]*[]string{"ENTRYPOINT": &entry, "CMD": &arguments} {
		if err := json.Unmarshal([]byte(texts(all, name)[0]), list); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	port := texts(all, "EXPOSE")[0]
	if entry[0] != "/pkgen-emulator" || !slices.Contains(entry, "0.0.0.0:"+port) {
		t.Fatalf("the container runs %q, and exposes port %s", entry, port)
	}
	arguments = slices.Concat(entry[1:], arguments)
	arguments[slices.Index(arguments, "0.0.0.0:"+port)] = "0.0.0.0:0" // which is free here
	if err := os.Chmod(root, 0o755); err != nil {                     // the other user reads it
		t.Fatal(err)
	}
	connection := awaitConnection(t, inRoot(t, root, arguments))
	endpoint := regexp.MustCompile(`AccountEndpoint=http://localhost(:\d+/)`).FindStringSubmatch(connection)
	if endpoint == nil {
		t.Fatalf("got %s", connection)
	}
	for _, host := range []string{"127.0.0.1", "127.0.0.2"} { // the second one is only reached on all addresses
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+endpoint[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		cancel()
		if response.StatusCode != http.StatusUnauthorized { // the request is not signed
			t.Errorf("%s answers %s", host, response.Status)
		}
	}
	// Documents are stored and read.
	folder := t.TempDir()
	write(t, filepath.Join(folder, "orders.ndjson"), `{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/customer"],"kind":"Hash","version":2}}}`+"\n"+`{"id":"1","customer":"c"}`+"\n")
	data := func(arguments ...string) string {
		cmd := exec.CommandContext(t.Context(), filepath.Join(programs(t), "pkgen-data"), arguments...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), connection)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", arguments, err, text)
		}
		return string(text)
	}
	data("load", "-create", "-container", "shop/orders", "-in", "orders.ndjson")
	if dumped := data("dump", "-container", "orders"); !strings.Contains(dumped, `"customer":"c"`) {
		t.Errorf("dumped %s", dumped)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 2 {
		t.Errorf("the root has %v, %v", entries, err)
	}
}

// static fails if a program needs a linker or a library when it starts.
func static(t *testing.T, program string) {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // it was read
	libraries, err := file.ImportedLibraries()
	if err != nil || len(libraries) > 0 {
		t.Errorf("%s needs %q, %v", program, libraries, err)
	}
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("%s needs a linker when it starts", program)
	}
}
