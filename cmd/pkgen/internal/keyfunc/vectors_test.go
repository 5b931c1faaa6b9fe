package keyfunc

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/templates"
)

var update = flag.Bool("update", false, "record the golden files, and the vectors of new types")

const vectorFile = "testdata/vectors.json"

// vectors are the inputs and keys of one type.
type vectors struct {
	Type   string   `json:"type"`
	Layout string   `json:"layout"`
	Escape bool     `json:"escape,omitempty"`
	Params []string `json:"params"` // property and type of each parameter
	Rows   []vector `json:"rows"`
}

// vector is one input, a text for each parameter, and the key: a string, a
// number, a boolean, an array of these, or null for what is refused.
type vector struct {
	In  []string `json:"in"`
	Key any      `json:"key"`
}

// readVectors returns the vectors of every case, in the order of the cases.
func readVectors(t *testing.T) []vectors {
	t.Helper()
	data, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []vectors
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestVectors checks the vectors against package partition, which generated Go
// code calls, and that none has been lost. A row that is there may never change.
func TestVectors(t *testing.T) {
	if *update {
		recordVectors(t)
	}
	all := readVectors(t)
	if len(all) != len(cases) {
		t.Fatalf("%s has %d types, want the %d cases: run go test -update", vectorFile, len(all), len(cases))
	}
	rows := 0
	for i, c := range cases {
		if want := header(c); all[i].Type != want.Type || all[i].Layout != want.Layout ||
			all[i].Escape != want.Escape || !reflect.DeepEqual(all[i].Params, want.Params) {
			t.Fatalf("%s: type %d is %+v, want %+v", vectorFile, i, all[i], want)
		}
		for _, row := range all[i].Rows {
			rows++
			if got := reference(t, c, row.In); !reflect.DeepEqual(got, row.Key) {
				t.Errorf("%s of %q = %q, want %q", c.Name, row.In, got, row.Key)
			}
		}
	}
	if rows < 400 {
		t.Errorf("%s has %d rows, want 400 at least: none may be removed", vectorFile, rows)
	}
}

// TestVectorsOfExamples checks the vectors of the examples against the code
// that pkgen has written for them.
func TestVectorsOfExamples(t *testing.T) {
	for _, v := range readVectors(t) {
		for _, row := range v.Rows {
			var got string
			number := func(i int) int {
				n, err := strconv.Atoi(row.In[i])
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			switch v.Type {
			case "VehicleEvent":
				got = fleet.VehicleEventKey{Date: row.In[0], VIN: row.In[1]}.PartitionKey()
			case "Click":
				got = clickstream.ClickKey{Date: row.In[0], Suffix: number(1)}.PartitionKey()
			case "Reading":
				if len(row.In[1]) != len("2018") {
					continue // not a year, which is what the example has
				}
				got = telemetry.ReadingKey{DeviceID: row.In[0], Date: uint16(number(1))}.PartitionKey()
			default:
				continue
			}
			if got != row.Key {
				t.Errorf("%s of %q = %q, want %q", v.Type, row.In, got, row.Key)
			}
		}
	}
}

// header describes the vectors of a case.
func header(c *templates.Type) vectors {
	v := vectors{Type: c.Name, Layout: c.Layout(), Escape: c.Escape}
	for _, p := range newFunction(c).params {
		v.Params = append(v.Params, p.Property+" "+kindName(p))
	}
	return v
}

func kindName(p *param) string {
	if p.count > 0 {
		return "suffix"
	}
	return [...]string{"string", "int64", "uint64", "bool", "float64", "time", "text", "text"}[p.Value]
}

// reference computes a key by package partition.
func reference(t *testing.T, c *templates.Type, in []string) any {
	t.Helper()
	inputs := map[string]string{}
	for i, p := range newFunction(c).params {
		inputs[p.Property] = in[i] // the suffix is under ""
	}
	if c.Kind != templates.Hierarchical {
		return referenceValue(t, c, c.Levels[0].Parts, c.Levels[0].Made, inputs)
	}
	var out []any
	for _, level := range c.Levels {
		value := referenceValue(t, c, level.Parts, level.Made, inputs)
		if value == nil {
			return nil
		}
		out = append(out, value)
	}
	return out
}

func referenceValue(t *testing.T, c *templates.Type, parts []pk.Part, made bool, inputs map[string]string) any {
	t.Helper()
	if !made {
		return referenceProperty(t, parts[0].Component, inputs)
	}
	var separators []rune
	for _, p := range parts[1:] {
		if p.Literal != "" {
			separators = append(separators, []rune(p.Literal)[0])
		}
	}
	var b []byte
	for _, p := range parts {
		switch {
		case p.Bucket == nil && p.Component == nil:
			b = append(b, p.Literal...)
		case p.Bucket != nil && p.Bucket.Hash == nil:
			b = append(b, inputs[""]...)
		case p.Bucket != nil:
			var h partition.Hash
			for _, c := range p.Bucket.Hash {
				h = h.Text(string(componentText(t, c, inputs)))
			}
			b = strconv.AppendInt(b, int64(h.Bucket(p.Bucket.Count)), 10)
		case c.Escape && p.Component.Value != pk.Time:
			b = partition.AppendEscaped(b, componentText(t, *p.Component, inputs), string(separators))
		default:
			b = append(b, componentText(t, *p.Component, inputs)...)
		}
	}
	return string(b)
}

// referenceProperty is a key that is a property as it is.
func referenceProperty(t *testing.T, c *pk.Component, inputs map[string]string) any {
	t.Helper()
	text := inputs[c.Property]
	var problem error
	switch c.Value {
	case pk.Bool:
		return text == "true"
	case pk.Int:
		problem = partition.Check("", partition.Int(c.Property, parse(t, text, signed)))
	case pk.Uint:
		problem = partition.Check("", partition.Uint(c.Property, parse(t, text, unsigned)))
	case pk.Float:
	default:
		return text
	}
	if problem != nil {
		return nil
	}
	return parse(t, text, float)
}

func signed(s string) (int64, error)    { return strconv.ParseInt(s, 10, 64) }
func unsigned(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }
func float(s string) (float64, error)   { return strconv.ParseFloat(s, 64) }

func parse[T any](t *testing.T, text string, how func(string) (T, error)) T {
	t.Helper()
	v, err := how(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// componentText is the text of a component before it is escaped.
func componentText(t *testing.T, c pk.Component, inputs map[string]string) []byte {
	t.Helper()
	text := inputs[c.Property]
	switch {
	case c.Value == pk.Time:
		at := parse(t, text, func(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) })
		return partition.AppendTime(nil, at, c.Layout)
	case c.Lower:
		return partition.AppendLower(nil, text)
	}
	return []byte(text)
}

// recordVectors writes the vectors of the cases that have none yet, and keeps
// the others.
func recordVectors(t *testing.T) {
	t.Helper()
	known := map[string]vectors{}
	if _, err := os.Stat(vectorFile); err == nil {
		for _, v := range readVectors(t) {
			known[v.Type] = v
		}
	}
	var b bytes.Buffer
	for i, c := range cases {
		v, ok := known[c.Name]
		if !ok {
			v = header(c)
			for _, in := range inputs(c, i) {
				v.Rows = append(v.Rows, vector{in, reference(t, c, in)})
			}
		}
		rows := v.Rows
		v.Rows = nil
		head := bytes.TrimSuffix(compact(t, v), []byte("null}"))
		fmt.Fprintf(&b, "%s%s[", separator(i, "[\n", ",\n"), head)
		for i, row := range rows {
			fmt.Fprintf(&b, "%s  %s", separator(i, "\n", ",\n"), compact(t, row))
		}
		b.WriteString("\n]}")
	}
	b.WriteString("\n]\n")
	if err := os.WriteFile(vectorFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func separator(i int, first, next string) string {
	if i == 0 {
		return first
	}
	return next
}

// compact writes JSON on one line, with < and & as they are, and what cannot be
// seen by its number.
func compact(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, r := range string(bytes.TrimSpace(b.Bytes())) {
		if !unicode.IsPrint(r) && r <= 0xFFFF {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes()
}
