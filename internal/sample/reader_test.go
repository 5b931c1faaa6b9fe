package sample

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// read returns what a reader gives: "3 text" for a document, "3! problem" for another.
func read(t testing.TB, r io.Reader) ([]string, error) {
	t.Helper()
	s, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	var all []string
	for {
		d, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			if _, err := s.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v", err)
			}
			return all, nil
		case err != nil:
			return all, err
		case (d.Text == nil) != (d.Problem != ""):
			t.Errorf("%+v", d)
		case d.Problem != "":
			all = append(all, fmt.Sprintf("%d! %s", d.Line, d.Problem))
		default:
			all = append(all, fmt.Sprintf("%d %s", d.Line, d.Text))
		}
	}
}

func TestReader(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"white space", " \n\r\n\t", nil},
		{"lines", "{\"a\":1}\n{\"a\":2}\n", []string{`1 {"a":1}`, `2 {"a":2}`}},
		{"lines of Windows, blank ones, and no end", "\uFEFF{\"a\":1}\r\n\r\n \t{\"a\":2} ", []string{`1 {"a":1}`, `3 {"a":2}`}},
		{"blank lines first", "\n\n{}\n", []string{"3 {}"}},
		{"a broken line", "{\"a\":\n{}\nnull\n", []string{`1 {"a":`, "2 {}", "3 null"}},
		{"an array", `[{"a":1},{"a":[2,{"b":"]},{"}]}]`, []string{`1 {"a":1}`, `1 {"a":[2,{"b":"]},{"}]}`}},
		{"an array over lines", "\n[\n  {\n  \"a\": 1\n  },\n  {\"b\":\"\\\"}\"}\n]\n", []string{"3 {\n  \"a\": 1\n  }", `6 {"b":"\"}"}`}},
		{"an empty array", "[ ]", nil},
		{"scalars", `[1, "a,]" ,null]`, []string{"1 1", `1 "a,]"`, "1 null"}},
		{"a broken element", "[{\"a\":[1},\n{}]", []string{`1 {"a":[1}`, "2 {}"}},
		{"brackets too many", "[{\"a\":1}},\n{}]", []string{`1 {"a":1}`, "1 }", "2 {}"}},
		{"an element without its end", "[{\"a\":1,\n", []string{"1! " + unclosed}},
		{"a string without its end", "[\"a", []string{"1! " + unclosed}},
		{"an array without its end", "[{},\n", []string{"1 {}", "2! is missing: the input ends without the end of the array"}},
		{"a number without the end of the array", "[1", []string{"1 1"}},
		{"an array of half an element", "[{\"a\":1]\n{}", []string{`1 {"a":1`, "2! " + after}},
		{"two arrays", "[{}]\n\n[{}]", []string{"1 {}", "3! " + after}},
	} {
		for kind, in := range map[string]io.Reader{
			"": strings.NewReader(tt.in), "a byte at a time": iotest.OneByteReader(strings.NewReader(tt.in)),
			"gzip": bytes.NewReader(zipped(t, tt.in)), "zstd": bytes.NewReader(zstdOf(tt.in)),
			"zstd after a frame to skip": bytes.NewReader(append([]byte{0x51, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7}, zstdOf(tt.in)...)),
		} {
			got, err := read(t, in)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%s %s: %v\n%s", tt.name, kind, err, diff)
			}
		}
	}
}

// zipped returns a text by gzip, in two members.
func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	half := len(text) / 2
	for _, part := range []string{text[:half], text[half:]} {
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// zstdOf returns a text by Zstandard, in raw blocks of at most 100 KB (RFC 8878,
// section 3.1.1.2).
func zstdOf(text string) []byte {
	b := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x58} // a window of 2 MiB
	for {
		n := min(len(text), 100_000)
		header := n << 3
		if n == len(text) {
			header |= 1
		}
		b = append(b, byte(header), byte(header>>8), byte(header>>16))
		b = append(b, text[:n]...)
		if text = text[n:]; text == "" {
			return b
		}
	}
}

func TestLongDocuments(t *testing.T) {
	fits := `{"a":"` + strings.Repeat("x", MaxBytes-8) + `"}`
	long := `{"a":"` + strings.Repeat("x", MaxBytes-7) + `"}`
	far := `{"a":"` + strings.Repeat("x", 3*MaxBytes) + `"}`
	for name, in := range map[string]string{
		"lines": fits + "\n" + long + "\n" + far + "\n{}", "array": "[" + fits + ",\n" + long + ",\n" + far + ",\n{}]",
	} {
		want := []string{"1 " + fits, "2! " + tooLong, "3! " + tooLong, "4 {}"}
		if got, err := read(t, strings.NewReader(in)); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %d documents", name, err, len(got))
		}
	}
	if got, err := read(t, strings.NewReader("{}\n"+far)); err != nil || !cmp.Equal(got, []string{"1 {}", "2! " + tooLong}) {
		t.Errorf("at the end: %v, %d documents", err, len(got))
	}
	if got, err := read(t, strings.NewReader(strings.Repeat("[", 2*MaxBytes))); err != nil || len(got) != 1 || !strings.Contains(got[0], "nested") {
		t.Errorf("brackets: %v, %d documents", err, len(got))
	}
}

// TestBrokenInput expects the documents before a fault, and the fault.
func TestBrokenInput(t *testing.T) {
	packed := zipped(t, "{}\n{}\n")
	for name, tt := range map[string]struct {
		in   io.Reader
		want string
	}{
		"a fault":     {io.MultiReader(strings.NewReader("{}   \n"), iotest.ErrReader(errors.New("torn"))), "reading line 2: torn"},
		"an array":    {io.MultiReader(strings.NewReader("[{},\n"), iotest.ErrReader(errors.New("torn"))), "reading line 2: torn"},
		"at once":     {iotest.ErrReader(errors.New("torn")), "torn"},
		"half a gzip": {bytes.NewReader(packed[:len(packed)-4]), "unexpected EOF"},
		"no gzip":     {bytes.NewReader([]byte{0x1f, 0x8b, 0, 0}), "is not"},
		"no zstd":     {bytes.NewReader([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0}), "EOF"},
	} {
		if _, err := read(t, tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

// TestMemory reads much, and holds little.
func TestMemory(t *testing.T) {
	line := []byte(`{"a":"` + strings.Repeat("x", 1000) + "\"}\n")
	s, err := NewReader(&repeated{line, 50_000, 0})
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for ; err == nil; n++ {
		_, err = s.Next()
	}
	runtime.ReadMemStats(&now)
	if n != 50_001 || !errors.Is(err, io.EOF) || now.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d documents, %v, %d bytes", n, err, now.TotalAlloc-before.TotalAlloc)
	}
}

// repeated is a text n times.
type repeated struct {
	text []byte
	n    int
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at = 0
		r.n--
	}
	return n, nil
}

// FuzzReader compares arrays with encoding/json, and other texts with their lines.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", "[", "[]", `[{"a":"\"]"},[[]],1.5, "x" ]`, "{}\n{\n", "\uFEFF[1]", "[}", `[{"a":[1},{}]`, "[1][2]", "x\r\n\ny",
		string(zipped(f, "{}\n[]")), string(zstdOf("[{}]")), "[tru,e]", `["\`, "(\xb5/\xfd", "P*M\x18",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := read(t, bytes.NewReader(in))
		if len(in) >= 4 && (in[0] == 0x1f && in[1] == 0x8b || bytes.HasPrefix(in, []byte{0x28, 0xb5, 0x2f, 0xfd}) || bytes.HasPrefix(in[1:], []byte{0x2a, 0x4d, 0x18})) {
			return // compressed
		}
		if bytes.HasPrefix(in, []byte{0x1f, 0x8b}) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		text := bytes.Trim(bytes.TrimPrefix(in, []byte(byteOrderMark)), space)
		var elements []json.RawMessage
		switch {
		case !bytes.HasPrefix(text, []byte("[")):
			for line := range bytes.Lines(text) {
				if line = bytes.Trim(line, space); len(line) > 0 {
					elements = append(elements, line)
				}
			}
		case json.Unmarshal(text, &elements) != nil:
			if len(got) > len(in) {
				t.Errorf("%q has %d documents", in, len(got))
			}
			return
		}
		if len(got) != len(elements) {
			t.Fatalf("%q: %q, want %q", in, got, elements)
		}
		for i, e := range elements {
			if _, text, _ := strings.Cut(got[i], " "); text != string(e) {
				t.Errorf("%q: %q, want %q", in, text, e)
			}
		}
	})
}

// BenchmarkReader reads lines and arrays of documents of 1 KB.
func BenchmarkReader(b *testing.B) {
	doc := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	for name, text := range map[string]string{"lines": doc + "\n", "array": doc + ","} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			in := io.Reader(&repeated{[]byte(text), 1 << 40, 0})
			if name == "array" {
				in = io.MultiReader(strings.NewReader("["), in)
			}
			s, err := NewReader(in)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := s.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
