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

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func newValued(t *testing.T) *repository.Documents[values.Valued, values.ValuedKey] {
	t.Helper()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("valued", "/key"), repository.Configure(nil))

	return repository.New(container, values.ValuedModel)
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
		doc         values.Valued
		field, want string
	}{
		"text":        {values.Valued{Text: secret}, "Text", invalid},
		"pointer":     {values.Valued{Lines: []values.ValuedLine{{}, {Note: &note}}}, "Lines[1].Note", invalid},
		"map":         {values.Valued{Names: map[string]string{"secret": secret}}, "Names[…]", invalid},
		"key":         {values.Valued{Names: map[string]string{secret: ""}}, "Names", invalid},
		"any":         {values.Valued{Any: map[string]any{"secret": []any{1, secret}}}, "Any[…][1]", invalid},
		"raw":         {values.Valued{Raw: json.RawMessage(`"` + secret + `"`)}, "Raw", invalid},
		"MarshalJSON": {values.Valued{Own: values.ValuedOwn{Inner: secret}}, "Own.Inner", invalid},
		"MarshalText": {values.Valued{Code: secret}, "Code", invalid},
		"promoted":    {values.Valued{ValuedPart: values.ValuedPart{Promoted: secret}}, "ValuedPart.Promoted", invalid},
		"NaN":         {values.Valued{Ratio: math.NaN()}, "Ratio", number},
		"infinity":    {values.Valued{Any: []any{math.Inf(-1)}}, "Any[0]", number},
		"time":        {values.Valued{At: late.Time()}, "At", year},
		"fixed time":  {values.Valued{Due: &late}, "Due", year},
	} {
		c.doc.ID, c.doc.Key = "1", "k"
		for operation, err := range map[string]error{"Create": all.Create(ctx, &c.doc), "Upsert": all.Upsert(ctx, &c.doc)} {
			var own *repository.Error
			if !errors.As(err, &own) || own.Status != 0 || !strings.Contains(err.Error(), "Valued."+c.field+": "+c.want) {
				t.Errorf("%s of %s: %v", operation, name, err)
			} else if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "12345") {
				t.Errorf("%s of %s tells the value: %v", operation, name, err)
			}
		}
	}
	fine := values.Valued{
		ID: "1", Key: "k", Text: "\ufffd", Raw: json.RawMessage(`{"a":"\ufffd"}`), Own: values.ValuedOwn{Inner: `\ufffd`}, Code: "\ufffd",
		Names: map[string]string{"\ufffd": "\ufffd"}, Bytes: []byte{0xff}, Out: secret, Any: "a\ufffd",
	}
	if err := all.Create(ctx, &fine); err != nil {
		t.Fatal(err)
	}
	got, err := all.Get(ctx, values.ValuedKey{ID: "1", Key: "k"})
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
	key := values.ValuedKey{ID: "1", Key: "k"}
	if err := all.Create(ctx, &values.Valued{ID: "1", Key: "k", Text: "secret\ufffd", Names: map[string]string{}}); err != nil {
		t.Fatal(err)
	}
	const secret, invalid = "secret\xff", "not valid UTF-8"
	note := secret
	text := documents.String[values.Valued, string]("/text")
	names := repository.PatchMap[values.Valued, string, repository.PatchValue[values.Valued, string]]("/names")
	set := repository.PatchValue[values.Valued, string]("/text").Set
	query := all.Scan()
	collect := func(p repository.Predicate[values.Valued]) error {
		_, err := query.Where(p).Collect(ctx)
		return err
	}
	_, raw := query.WhereRaw("c.text = @text", azcosmos.QueryParameter{Name: "@text", Value: secret}).Collect(ctx)
	for name, err := range map[string]error{
		`"/text": Set: `:                        all.Patch(ctx, key, set(secret)),
		`"/names": Set: `:                       all.Patch(ctx, key, names.Set(map[string]string{"a": secret})),
		`"/lines/-": Append: ValuedLine.Note: `: all.Patch(ctx, key, repository.PatchList[values.Valued, values.ValuedLine]("/lines").Append(values.ValuedLine{Note: &note})),
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
