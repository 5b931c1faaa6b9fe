package write

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestVectors(t *testing.T) {
	t.Parallel()
	all := Vectors{{Property: "/embedding", Dimensions: 3}, {Property: "/meta/a~1b", Dimensions: 2}}
	for body, want := range map[string]string{
		`{"id":"1","embedding":[1,-2.5e-3,3],"meta":{"a/b":[0,0]}}`:   "",
		`{"id":"1","embedding" : [ 1 , 2 , 3 ] ,"meta":{"a/b":null}}`: "",
		`{"id":"1","embedding":null}`:                                 "",
		`{"id":"1","meta":null}`:                                      "",
		`{"id":"1","embedding":[1,2]}`:                                `property "/embedding": the vector has 2 numbers, and its tag says 3`,
		`{"id":"1","embedding":[]}`:                                   `property "/embedding": the vector has 0 numbers`,
		`{"id":"1","embedding":[1,2,3,4]}`:                            `property "/embedding": the vector has 4 numbers`,
		`{"id":"1","embedding":"AQID"}`:                               `property "/embedding": the vector is not an array`,
		`{"id":"1","meta":{"a/b":[1,2,3]}}`:                           `property "/meta/a~1b": the vector has 3 numbers, and its tag says 2`,
	} {
		wants(t, body, all.check([]byte(body)), want)
	}
	if err := (Vectors)(nil).check([]byte(`{"embedding":[1]}`)); err != nil {
		t.Error(err)
	}
}

func TestVectorsOfPatches(t *testing.T) {
	t.Parallel()
	all := Vectors{{Property: "/meta/embedding", Dimensions: 3}}
	for _, test := range []struct{ op, path, value, want string }{
		{PatchSet, "/meta/embedding", `[1,2,3]`, ""},
		{PatchSet, "/meta/embedding", `null`, ""},
		{PatchSet, "/meta/embedding", `[1,2]`, "has 2 numbers"},
		{PatchAdd, "/meta/embedding", `[1,2,3,4]`, "has 4 numbers"},
		{PatchReplace, "/meta/embedding", `{}`, "is not an array"},
		{PatchSet, "/meta", `{"embedding":[1]}`, "has one number,"},
		{PatchSet, "/meta", `{"other":[1]}`, ""},
		{PatchSet, "/title", `[1]`, ""},
		{PatchSet, "/meta/embeddings", `[1]`, ""},
		{PatchRemove, "/meta/embedding", ``, ""},
		{PatchRemove, "/meta", ``, ""},
		{PatchRemove, "/meta/embedding/0", ``, "set the vector as a whole"},
		{PatchAdd, "/meta/embedding/-", `4`, "set the vector as a whole"},
		{PatchReplace, "/meta/embedding/1", `4`, ""},
		{PatchIncrement, "/meta/embedding/1", `4`, ""},
	} {
		p := Patch{}
		err := p.Add(PatchOperations{Operations: []PatchOperation{{Op: test.op, Path: test.path, Value: json.RawMessage(test.value)}}}, &Writer{Vectors: all})
		wants(t, test.op+" "+test.path+" "+test.value, err, test.want)
		if err != nil && len(p.Operations) > 0 {
			t.Errorf("%s %s: it is in the patch", test.op, test.path)
		}
	}
}

// TestFloat16 writes vectors whose container keeps 16 bits of a number.
func TestFloat16(t *testing.T) {
	t.Parallel()
	all := Vectors{{Property: "/v", Dimensions: 2, Float16: true}, {Property: "/w", Dimensions: 2}}
	const beyond = "of the vector is beyond 65504, the greatest of float16"
	for body, want := range map[string]string{
		`{"v":[65504,-65504]}`:        "",
		`{"v":[0.00000001,-0]}`:       "", // too small a number is zero
		`{"v":[0,65505]}`:             `property "/v": number 1 ` + beyond,
		`{"v":[-1e5,0]}`:              `property "/v": number 0 ` + beyond,
		`{"v":[1e400,0]}`:             `property "/v": number 0 ` + beyond,
		`{"v":["x",0]}`:               `property "/v": number 0 ` + beyond,
		`{"v":[1]}`:                   "the vector has one number,",
		`{"v":null,"w":[1e30,-1e30]}`: "",
	} {
		wants(t, body, all.check([]byte(body)), want)
	}
	for _, test := range []struct{ op, path, value, want string }{
		{PatchSet, "/v", `[1,65504]`, ""},
		{PatchSet, "/v", `[1,65505]`, "number 1 " + beyond},
		{PatchReplace, "/v/1", `-65504`, ""},
		{PatchReplace, "/v/1", `70000`, "a number " + beyond},
		{PatchReplace, "/w/1", `70000`, ""},
	} {
		p := Patch{}
		err := p.Add(PatchOperations{Operations: []PatchOperation{{Op: test.op, Path: test.path, Value: json.RawMessage(test.value)}}}, &Writer{Vectors: all})
		wants(t, test.op+" "+test.path+" "+test.value, err, test.want)
	}
}

// wants checks the text of an error, "" for none.
func wants(t *testing.T, of string, err error, want string) {
	t.Helper()
	if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", of, err, want)
	}
}

func TestVectorsAllocateNothing(t *testing.T) {
	body := []byte(`{"id":"1","other":[1,2,3],"embedding":[` + strings.Repeat("0.123456,", 1535) + `1]}`)
	all := Vectors{{Property: "/embedding", Dimensions: 1536}}
	names := testing.AllocsPerRun(100, func() { _ = all[0].names() })
	if n := testing.AllocsPerRun(100, func() {
		if err := all.check(body); err != nil {
			t.Fatal(err)
		}
	}); n != names {
		t.Errorf("%v allocations, %v of them for the path", n, names)
	}
}
