package simulate

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/sample"
)

// mostRows is the maximum number of documents kept from a file. From a larger file, they are chosen
// uniformly.
const mostRows = 500_000

// samples reads the files in properties.
func (s *Scenario) samples() (*samples, error) {
	var all samples
	want := func(properties map[string]Property) {
		for _, name := range sortedNames(properties) {
			p := properties[name]
			if p.Sample == "" {
				continue
			}
			i := slices.IndexFunc(all.files, func(f *sampled) bool { return f.path == p.Sample })
			if i < 0 {
				i = len(all.files)
				all.files = append(all.files, &sampled{path: p.Sample})
			}
			if f := all.files[i]; !slices.Contains(f.pointers, p.pointer(name)) {
				f.pointers = append(f.pointers, p.pointer(name))
			}
		}
	}
	want(s.Properties)
	for _, o := range s.Operations {
		want(o.Properties)
	}
	for _, f := range all.files {
		if err := f.read(s.folder); err != nil {
			return nil, err
		}
	}
	return &all, nil
}

// pointer returns the JSON pointer of the property with the values.
func (p Property) pointer(name string) string {
	if p.Property != "" {
		name = p.Property
	}
	return jsonpointer.Of(strings.Split(name, ".")...)
}

// read reads the file.
func (f *sampled) read(folder string) error {
	path := f.path
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	file, err := os.Open(path) //nolint:gosec // who runs the program names the file
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // read only
	in, err := sample.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	set := layout.NewSet(nil, f.pointers...)
	choose := rand.New(rand.NewPCG(0, 0)) // the sample of a file does not depend on the seed
	var document layout.Document
	for n := 0; ; n++ {
		d, err := in.Next()
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%s: there are no documents in it", path)
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		case d.Problem != "":
			return fmt.Errorf("%s:%d: the document %s: correct it, or leave it out", path, d.Line, d.Problem)
		}
		if err := set.Read(d.Text, &document); err != nil {
			return fmt.Errorf("%s:%d: %w", path, d.Line, err)
		}
		if err := f.keep(n, choose, &document); err != nil {
			return fmt.Errorf("%s:%d: %w", path, d.Line, err)
		}
	}
}

// keep keeps document n of the file, from 0, or skips it.
func (f *sampled) keep(n int, choose *rand.Rand, d *layout.Document) error {
	at := n
	if n >= mostRows {
		if at = choose.IntN(n + 1); at >= mostRows {
			return nil // reservoir sampling
		}
	} else {
		f.rows = append(f.rows, nil)
	}
	row := f.rows[at][:0]
	for i, pointer := range f.pointers {
		v := d.Value(i)
		if v == nil {
			return fmt.Errorf("property %s is missing: leave the document out, or define the property in another way", strings.TrimPrefix(pointer, "/"))
		}
		row = append(row, slices.Clone(v))
	}
	f.rows[at] = row
	return nil
}
