// Planted plants known defects in the run time and the emulator, one after the other, and runs the
// simulation on each. If the simulation misses a defect, none of its tests guards that promise. It
// changes no file: an overlay compiles all defects into one program, and an environment variable
// selects one.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// variable is the environment variable with the name of the planted defect.
const variable = "PKGEN_PLANTED"

func main() {
	bound := flag.Duration("for", 5*time.Minute, "how long the simulation may take to find one")
	least := flag.Int("least", 22, "how many must be found")
	only := flag.String("only", "", "plant only these, separated by commas")
	flag.Parse()
	if err := run(*bound, *least, *only); err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}

func run(bound time.Duration, least int, only string) error {
	out, err := exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("the root of the module: %w", err)
	}
	root := strings.TrimSpace(string(out))
	folder, err := os.MkdirTemp("", "planted")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program := filepath.Join(folder, "simulation.test")
	if err := compile(root, folder, program); err != nil {
		return err
	}
	chosen := mutations
	if only != "" {
		chosen = nil
		for _, m := range mutations {
			if strings.Contains(","+only+",", ","+m.name+",") {
				chosen = append(chosen, m)
			}
		}
		least = min(least, len(chosen))
	}
	found := 0
	for _, m := range chosen {
		began := time.Now()
		r, err := simulate(filepath.Join(root, "internal", "simulation"), program, m.name, bound)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if !r.found {
			fmt.Fprintf(os.Stdout, "%-24s not found: %s\n", m.name, m.breaks)
			continue
		}
		found++
		fmt.Fprintf(os.Stdout, "%-24s seed %s, %s, %.0f s: %.150s\n", m.name, r.seed, r.operations, time.Since(began).Seconds(), r.failure)
	}
	fmt.Fprintf(os.Stdout, "%d of %d found\n", found, len(chosen))
	if found < least {
		return fmt.Errorf("at least %d must be found", least)
	}
	return nil
}

// compile compiles the tests of the simulation with all mutations.
func compile(root, folder, program string) error {
	files, err := planted(root, mutations)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for name, body := range files {
		copied := filepath.Join(folder, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(copied, body, 0o600); err != nil {
			return err
		}
		replace[filepath.Join(root, name)] = copied
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	name := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		return err
	}
	build := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-overlay", name, "-o", program, "./internal/simulation") //nolint:gosec // a folder of its own
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// planted returns the files of the overlay: those that mutations change, and one in each of their
// packages, with the name of the planted defect.
func planted(root string, all []mutation) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, m := range all {
		body, has := files[m.file]
		if !has {
			var err error
			if body, err = os.ReadFile(filepath.Join(root, m.file)); err != nil { //nolint:gosec // a file of the module
				return nil, err
			}
		}
		if n := bytes.Count(body, []byte(m.was)); n != 1 {
			return nil, fmt.Errorf("%s has the text that %s changes %d times, want once", m.file, m.name, n)
		}
		is := strings.ReplaceAll(m.is, "PLANTED", fmt.Sprintf("plantedDefect(%q)", m.name))
		files[m.file] = bytes.Replace(body, []byte(m.was), []byte(is), 1)
		folder := filepath.Dir(m.file)
		files[filepath.Join(folder, "planted_defect.go")] = fmt.Appendf(nil,
			"package %s\n\nimport \"os\"\n\nvar plantedName = os.Getenv(%q)\n\nfunc plantedDefect(name string) bool { return name == plantedName }\n",
			filepath.Base(folder), variable)
	}
	return files, nil
}

// result is the simulation's verdict on one mutation.
type result struct {
	found                     bool
	seed, operations, failure string
}

var (
	failing = regexp.MustCompile(`seed (\d+): type .*\n(.*)`)
	counted = regexp.MustCompile(`\d+ operations`)
)

// simulate runs seeds until one fails.
func simulate(folder, program, name string, bound time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	test := exec.CommandContext(ctx, program, "-test.run", "^TestSeeds$", "-test.timeout", "0", "-test.v", "-seeds", "1000000", "-shrink=false")
	test.Dir = folder
	test.Env = append(os.Environ(), variable+"="+name)
	out, err := test.CombinedOutput()
	if ctx.Err() != nil {
		return result{}, nil
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return result{}, err
	}
	if err == nil {
		return result{}, errors.New("the simulation ended by itself")
	}
	r := result{found: true, seed: "?", operations: "? operations", failure: "the program ended: " + strings.TrimSpace(string(out))}
	if match := failing.FindSubmatch(out); match != nil {
		r.seed, r.failure = string(match[1]), strings.TrimSpace(string(match[2]))
	}
	if match := counted.Find(out); match != nil {
		r.operations = string(match)
	}
	return r, nil
}
