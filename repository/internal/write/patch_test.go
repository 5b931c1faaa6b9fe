package write

import (
	"encoding/json"
	"testing"
)

// The service reads the JSON of a patch, and Size counts it: it has the
// condition and the operations, and nothing else.
func TestPatchBody(t *testing.T) {
	increment := PatchOperations{Operations: []PatchOperation{{Op: PatchIncrement, Path: "/n", Value: json.RawMessage("0.5")}}}
	var p Patch
	if err := p.Add(increment, &Writer{}); err != nil {
		t.Fatal(err)
	}
	p, err := p.WithCondition("c.kind = 'x'", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Once {
		t.Error("a patch that increments may be sent twice")
	}
	body, err := json.Marshal(p)
	const want = `{"condition":"from c where (c.kind = 'x')","operations":[{"op":"incr","path":"/n","value":0.5}]}`
	if err != nil || string(body) != want {
		t.Errorf("got %s, %v; want %s", body, err, want)
	}
	if size, err := p.Size(); err != nil || size != len(want) {
		t.Errorf("a size of %d, %v; want %d", size, err, len(want))
	}
}
