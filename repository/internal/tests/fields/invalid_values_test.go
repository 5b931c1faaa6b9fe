package fields

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// valued is a document with values wherever JSON may have no form for them.
type valued struct { //nolint:pkgen // its model is made by hand
	ID    string            `json:"id"`
	Key   string            `json:"key"`
	Text  string            `json:"text,omitempty"`
	Ratio float64           `json:"ratio,omitempty"`
	At    time.Time         `json:"at"`
	Due   *repository.Time  `json:"due,omitempty"`
	Lines []valuedLine      `json:"lines,omitempty"`
	Names map[string]string `json:"names,omitempty"`
	Any   any               `json:"any,omitempty"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
	Own   valuedOwn         `json:"own"`
	Code  valuedCode        `json:"code,omitempty"`
	Bytes []byte            `json:"bytes,omitempty"`
	Out   string            `json:"-"`
	valuedPart
}

type valuedLine struct {
	Note *string `json:"note"`
}

type valuedPart struct {
	Promoted string `json:"promoted,omitempty"`
}

// valuedOwn has a MarshalJSON that calls encoding/json.
type valuedOwn struct{ Inner string }

func (o valuedOwn) MarshalJSON() ([]byte, error) { return json.Marshal(o.Inner) }

func (o *valuedOwn) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &o.Inner) }

type valuedCode string

func (c valuedCode) MarshalText() ([]byte, error) { return []byte(c), nil }

func (c *valuedCode) UnmarshalText(b []byte) error {
	*c = valuedCode(b)
	return nil
}

var valuedModel = generated.Model[valued, kit.SpecimenKey]{
	Type: "valued", Path: "/key",
	Key:  func(v *valued) kit.SpecimenKey { return kit.SpecimenKey{ID: v.ID, Key: v.Key} },
	ID:   func(k kit.SpecimenKey) string { return k.ID },
	Text: func(k kit.SpecimenKey) string { return k.Key },
}

func newValued(t *testing.T) *repository.Documents[valued, kit.SpecimenKey] {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("valued", "/key"), repository.Configure(nil))

	return repository.New(container, &valuedModel)
}

// TestInvalidValues refuses what JSON has no form for, before a request, and names the
// field and not the value: encoding/json would store another text, and its errors name no
// field.
func TestInvalidValues(t *testing.T) {
	all := newValued(t)
	ctx := context.Background()
	const secret = "secret\xff"
	note := secret
	late := repository.NewTime(time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC))
	const invalid, number, year = "the text is not valid UTF-8", "the number is NaN or infinite", "the time is in a year of UTC before 0 or after 9999"
	for name, c := range map[string]struct {
		doc         valued
		field, want string
	}{
		"text":        {valued{Text: secret}, "Text", invalid},
		"pointer":     {valued{Lines: []valuedLine{{}, {&note}}}, "Lines[1].Note", invalid},
		"map":         {valued{Names: map[string]string{"secret": secret}}, "Names[…]", invalid},
		"key":         {valued{Names: map[string]string{secret: ""}}, "Names", invalid},
		"any":         {valued{Any: map[string]any{"secret": []any{1, secret}}}, "Any[…][1]", invalid},
		"raw":         {valued{Raw: json.RawMessage(`"` + secret + `"`)}, "Raw", invalid},
		"MarshalJSON": {valued{Own: valuedOwn{secret}}, "Own.Inner", invalid},
		"MarshalText": {valued{Code: secret}, "Code", invalid},
		"promoted":    {valued{valuedPart: valuedPart{secret}}, "valuedPart.Promoted", invalid},
		"NaN":         {valued{Ratio: math.NaN()}, "Ratio", number},
		"infinity":    {valued{Any: []any{math.Inf(-1)}}, "Any[0]", number},
		"time":        {valued{At: late.Time()}, "At", year},
		"fixed time":  {valued{Due: &late}, "Due", year},
	} {
		c.doc.ID, c.doc.Key = "1", "k"
		for operation, err := range map[string]error{"Create": all.Create(ctx, &c.doc), "Upsert": all.Upsert(ctx, &c.doc)} {
			var own *repository.Error
			if !errors.As(err, &own) || own.Status != 0 || !strings.Contains(err.Error(), "valued."+c.field+": "+c.want) {
				t.Errorf("%s of %s: %v", operation, name, err)
			} else if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "12345") {
				t.Errorf("%s of %s tells the value: %v", operation, name, err)
			}
		}
	}
	fine := valued{
		ID: "1", Key: "k", Text: "\ufffd", Raw: json.RawMessage(`{"a":"\ufffd"}`), Own: valuedOwn{`\ufffd`}, Code: "\ufffd",
		Names: map[string]string{"\ufffd": "\ufffd"}, Bytes: []byte{0xff}, Out: secret, Any: "a\ufffd",
	}
	if err := all.Create(ctx, &fine); err != nil {
		t.Fatal(err)
	}
	got, err := all.Get(ctx, kit.SpecimenKey{ID: "1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != fine.Text || got.Own != fine.Own || got.Code != fine.Code || got.Names["\ufffd"] != "\ufffd" || got.Any != fine.Any {
		t.Errorf("stored is %+v, want %+v", got, fine)
	}
}

// TestInvalidValuesOfPatches is TestInvalidValues for patches, conditions and parameters:
// a condition on a text of other bytes would find the documents that hold U+FFFD.
func TestInvalidValuesOfPatches(t *testing.T) {
	all := newValued(t)
	ctx := context.Background()
	key := kit.SpecimenKey{ID: "1", Key: "k"}
	if err := all.Create(ctx, &valued{ID: "1", Key: "k", Text: "secret\ufffd", Names: map[string]string{}}); err != nil {
		t.Fatal(err)
	}
	const secret, invalid = "secret\xff", "not valid UTF-8"
	note := secret
	text := repository.String[valued, string]("/text")
	names := repository.PatchMap[valued, string, repository.PatchValue[valued, string]]("/names")
	set := repository.PatchValue[valued, string]("/text").Set
	query := all.Scan()
	collect := func(p repository.Predicate[valued]) error {
		_, err := query.Where(p).Collect(ctx)
		return err
	}
	_, raw := query.WhereRaw("c.text = @text", azcosmos.QueryParameter{Name: "@text", Value: secret}).Collect(ctx)
	for name, err := range map[string]error{
		`"/text": Set: `:                        all.Patch(ctx, key, set(secret)),
		`"/names": Set: `:                       all.Patch(ctx, key, names.Set(map[string]string{"a": secret})),
		`"/lines/-": Append: valuedLine.Note: `: all.Patch(ctx, key, repository.PatchList[valued, valuedLine]("/lines").Append(valuedLine{&note})),
		`the path`:                              all.Patch(ctx, key, names.Key("\xff").Set("a")),
		`"/text": Eq: `:                         all.PatchIf(ctx, key, text.Eq(secret), set("a")),
		`"/text": Eq: the`:                      collect(text.Eq(secret)),
		`"/text": In: `:                         collect(text.In("a", secret)),
		`"/text": EqualFold: `:                  collect(text.EqualFold(secret)),
		`parameter @text: `:                     raw,
	} {
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), invalid) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := all.PatchIf(ctx, key, text.Eq("secret\ufffd"), set("\ufffd")); err != nil {
		t.Error(err)
	}
}
