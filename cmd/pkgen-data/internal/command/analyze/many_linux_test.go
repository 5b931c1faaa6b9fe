package analyze

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

var (
	many       = flag.Int("documents", 20_000, "how many documents of 1 KB TestAnalyzeMany gives to pkgen-data analyze")
	manyRounds = flag.Int("rounds", 1, "how often it does, for the median")
	manyRatio  = flag.Float64("ratio", 0, "fail if that takes this many times as long as encoding/json; 0 is no limit")
)

const (
	manyPeak  = 300 << 10 // KB that pkgen-data analyze may have
	manyBytes = 1000      // of a line, with its end
)

func init() {
	otherPrograms["write-many"], otherPrograms["decode-many"], otherPrograms["analyze-many"] = manyWriter, manyDecoder, manyAnalyzer
}

// manyAnalyzer is the command, which writes its peak memory.
func manyAnalyzer() {
	code := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)
	writePeak()
	os.Exit(code)
}

// peakFile is the environment variable that names a file for the peak memory of a program.
const peakFile = "PKGEN_TEST_PEAK_FILE"

// writePeak writes the peak memory of the program, as Linux has it: "VmHWM:	 22016 kB".
// What wait4 says of a program is no less than the peak of the one that started it.
func writePeak() {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(os.Getenv(peakFile), status, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(cli.Failed)
	}
}

// readPeak reads what writePeak has written, in KB.
func readPeak(t *testing.T, file string) int64 {
	t.Helper()
	status, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if !found || len(fields) < 2 || fields[1] != "kB" {
		t.Fatalf("no peak in %s", status)
	}
	peak, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return peak
}

// writeMany writes lines: a month of events of 2,000 vehicles, in the order of time.
func writeMany(w io.Writer, n int) error {
	out := bufio.NewWriterSize(w, 1<<16)
	start := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	padding := strings.Repeat(`{"name":"Vehicle.Cabin.HVAC","value":19.9,"on":true},`, 30)
	var line []byte
	for i := range n {
		at := start.Add(time.Duration(i*30*86400/n) * time.Second)
		line = append(line[:0], `{"id":"e`...)
		line = strconv.AppendInt(line, int64(i), 16)
		line = at.AppendFormat(append(line, `","date":"`...), time.DateOnly)
		line = strconv.AppendInt(append(line, `","vin":"1HGCM82633A`...), int64(100_000+i*7919%2000), 10)
		line = at.AppendFormat(append(line, `","at":"`...), time.RFC3339)
		line = strconv.AppendInt(append(line, `","speed":`...), int64(i%130), 10)
		line = append(line, `,"signals":[`...)
		line = append(line, padding...)
		end := bytes.LastIndexByte(line[:manyBytes-20], '}') + 1 // of a whole object
		line = append(line[:end], `],"note":"`...)
		for len(line) < manyBytes-3 {
			line = append(line, 'x')
		}
		if _, err := out.Write(append(line, '"', '}', '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// manyWriter writes so many lines to standard output.
func manyWriter() {
	n, err := strconv.Atoi(os.Args[1])
	if err == nil {
		err = writeMany(os.Stdout, n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(cli.Failed)
	}
	os.Exit(cli.Done)
}

// manyDecoder decodes the lines of standard input by encoding/json, into the fields that
// the key and the time need.
func manyDecoder() {
	var doc struct {
		ID   string    `json:"id"`
		Date string    `json:"date"`
		VIN  string    `json:"vin"`
		At   time.Time `json:"at"`
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			fmt.Println(n)
			writePeak()
			os.Exit(cli.Done)
		}
		if err == nil {
			err = json.Unmarshal(line, &doc)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(cli.Failed)
		}
	}
}

// piped runs a command of the test binary, with lines from a pipe, and returns what it
// prints, the CPU time that it takes, and its peak memory in KB.
func piped(t *testing.T, dir string, n, gc int, args ...string) (stdout []byte, cpu time.Duration, peak int64) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	source, sink := exec.CommandContext(t.Context(), binary), exec.CommandContext(t.Context(), binary)
	source.Args, source.Stdout, source.Stderr = []string{"write-many", strconv.Itoa(n)}, write, os.Stderr
	var out bytes.Buffer
	sink.Args, sink.Dir, sink.Stdin, sink.Stdout, sink.Stderr = args, dir, read, &out, os.Stderr
	peaks := filepath.Join(t.TempDir(), "peak")
	sink.Env = append(os.Environ(), fmt.Sprintf("GOGC=%d", gc), peakFile+"="+peaks) // what tests set is not what users have
	if err := source.Start(); err != nil {
		t.Fatal(err)
	}
	if err := sink.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	read.Close()
	if err := sink.Wait(); err != nil {
		t.Fatalf("%s: %v", args[0], err)
	}
	if err := source.Wait(); err != nil {
		t.Fatal(err)
	}
	state := sink.ProcessState
	return out.Bytes(), state.UserTime() + state.SystemTime(), readPeak(t, peaks)
}

// TestAnalyzeMany bounds the memory of pkgen-data analyze for many documents from a pipe, and
// prints how long it takes compared with encoding/json. Keys of a layout are few, keys of
// another are as many as documents.
func TestAnalyzeMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, in another process")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m.go": "package m\n", lock.FileName: rig.Lock} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var ours, theirs []time.Duration
	for range *manyRounds {
		stdout, cpu, peak := piped(t, dir, *many, analyzeGCPercent, "analyze-many", "analyze", "-type", "VehicleEvent", "-in", "-", "-time", "at", "-layout", "{vin}", "-layout", "{id}", "-format", "json")
		var r analyze.Report
		if err := json.Unmarshal(stdout, &r); err != nil {
			t.Fatal(err)
		}
		l := r.Layouts[0]
		if r.Documents != int64(*many) || r.Bytes != int64(*many)*(manyBytes-1) || r.Invalid != 0 || l.Documents != r.Documents || l.LogicalPartitionsError != 0 || r.Times.Untimed != 0 {
			t.Errorf("%d documents, %d bytes, %d invalid, %d with a key", r.Documents, r.Bytes, r.Invalid, l.Documents)
		}
		if peak > manyPeak {
			t.Errorf("%d documents: a peak of %d MiB, of which %d are allowed", *many, peak>>10, manyPeak>>10)
		}
		counted, cpuJSON, peakJSON := piped(t, dir, *many, 100, "decode-many")
		if string(bytes.TrimSpace(counted)) != strconv.Itoa(*many) {
			t.Errorf("encoding/json read %s documents", counted)
		}
		ours, theirs = append(ours, cpu), append(theirs, cpuJSON)
		t.Logf("%d documents: pkgen-data analyze %.1f s of CPU, %d MiB; encoding/json %.1f s, %d MiB", *many, cpu.Seconds(), peak>>10, cpuJSON.Seconds(), peakJSON>>10)
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	ratio := ours[len(ours)/2].Seconds() / theirs[len(theirs)/2].Seconds()
	t.Logf("median of %d: %.2f times as long as encoding/json", *manyRounds, ratio)
	if *manyRatio > 0 && ratio > *manyRatio {
		t.Errorf("%.2f times as long as encoding/json, and %.2f are allowed", ratio, *manyRatio)
	}
}
