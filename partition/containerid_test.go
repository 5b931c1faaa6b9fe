package partition

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

// containerVector is a line of testdata/containers.json.
type containerVector struct {
	Text       string `json:"text"`
	Separators string `json:"separators"`
	ID         string `json:"id"`
}

// readContainerVectors reads testdata/containers.json. Documents are stored in
// containers of these ids, so the vectors never change.
func readContainerVectors(t *testing.T) []containerVector {
	t.Helper()
	data, err := os.ReadFile("testdata/containers.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []containerVector
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 24 {
		t.Fatalf("testdata/containers.json has %d vectors, want 24 at least: none may be removed", len(vectors))
	}
	return vectors
}

func TestContainerTextVectors(t *testing.T) {
	texts := make(map[string]string)
	for _, v := range readContainerVectors(t) {
		if got := string(AppendContainerText([]byte("x-"), v.Text, v.Separators)); got != "x-"+v.ID {
			t.Errorf("%q with separators %q: got %q, want %q", v.Text, v.Separators, got, v.ID)
		}
		if got := string(AppendContainerText(nil, []byte(v.Text), v.Separators)); got != v.ID {
			t.Errorf("%q as bytes: got %q", v.Text, got)
		}
		if got, err := ContainerText(v.ID, v.Separators); err != nil || got != v.Text {
			t.Errorf("ContainerText(%q, %q) = %q, %v", v.ID, v.Separators, got, err)
		}
		folded := v.Separators + "\x00" + strings.ToLower(v.ID)
		if other, taken := texts[folded]; taken {
			t.Errorf("%q and %q are both %q", other, v.Text, v.ID)
		}
		texts[folded] = v.Text
	}
}

func TestContainerTextIsStrict(t *testing.T) {
	for _, tt := range []struct{ id, separators string }{
		{"A", ""}, {"_", ""}, {"_5", ""}, {"_5F", ""}, {"_61", ""}, {"_30", ""}, {"_2d", ""}, {"a-b", "-"}, {"ä", ""}, {"š", ""}, {"a b", ""}, {"_5g", ""}, {"a.b", ""},
	} {
		if got, err := ContainerText(tt.id, tt.separators); err == nil {
			t.Errorf("ContainerText(%q, %q) = %q, want an error", tt.id, tt.separators, got)
		}
	}
}

func TestContainerID(t *testing.T) {
	if err := Check("Order", ContainerID("TenantID", strings.Repeat("a", MaxContainerID))); err != nil {
		t.Error(err)
	}
	for field, want := range map[string]string{
		"TenantID": "Order.TenantID: makes an id of 256 characters",
		"":         "Order: the fields of the container's id make an id of 256 characters",
	} {
		err := Check("Order", ContainerID(field, strings.Repeat("a", MaxContainerID+1)))
		var problem *KeyError
		if !errors.As(err, &problem) || problem.Field != field || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
}

func TestContainerTextAllocations(t *testing.T) {
	buffer := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		AppendContainerText(buffer, "Contoso Ltd", "-")
		_ = Check("Order", ContainerID("TenantID", "orders-contoso"))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzContainerText(f *testing.F) {
	for _, s := range []string{"contoso", "Contoso", "a-b", "a_b", "ä", "\xff", "_5f", ""} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, hyphens bool) {
		separators := ""
		if !hyphens {
			separators = "-"
		}
		id := string(AppendContainerText(nil, text, separators))
		if id != strings.ToLower(id) || strings.ContainsAny(id, `/\?# `) || !hyphens && strings.Contains(id, "-") {
			t.Errorf("%q makes %q", text, id)
		}
		if got, err := ContainerText(id, separators); err != nil || got != text {
			t.Errorf("%q makes %q, which is read as %q, %v", text, id, got, err)
		}
		if got, err := ContainerText(text, separators); err == nil && string(AppendContainerText(nil, got, separators)) != text {
			t.Errorf("%q is read as %q, which makes %q", text, got, AppendContainerText(nil, got, separators))
		}
	})
}
