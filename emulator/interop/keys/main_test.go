package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestReadsWhatItWrites(t *testing.T) {
	srv, err := emulator.Start(emulator.Options{Partitions: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	client := srv.Client(repository.Configure(nil))
	defer client.Close()
	for range 2 { // it may be run again on the same account
		if err := write(t.Context(), client, t.Output()); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := read(t.Context(), client, "go", t.Output()); found != 16 || err != nil {
		t.Errorf("found %d documents of 16, %v", found, err)
	}
	found, err := read(t.Context(), client, "nobody", t.Output())
	if found != 0 || err == nil || !strings.Contains(err.Error(), "nobody-v7") {
		t.Errorf("found %d documents of nobody, %v", found, err)
	}
}

func TestRecord(t *testing.T) {
	folder := t.TempDir()
	for _, found := range []int{16, 0} {
		if err := record(folder, "python", found, nil); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "python.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var results []string
	for line := range strings.Lines(string(text)) {
		var r result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		results = append(results, r.Result)
	}
	if got := strings.Join(results, " "); got != "works fail" {
		t.Errorf("results %s", got)
	}
}
