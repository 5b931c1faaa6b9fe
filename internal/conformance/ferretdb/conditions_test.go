package ferretdb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// hostile are texts that a careless query would take for something else.
var hostile = []string{
	"", "a", "A", "b\n", "a.c", "abc", "^a$", ".*", `\`, `\E`, "(", "[a-z]", "$gt", `{"$gt": ""}`, "$where",
	"ä", "Ä", "aä", "\x00", "a\x00b", "\ud7ff", "\ue000", "\U0010ffff", "a\U0010ffff", "x y", "#", "K", "\u212a", "|", "a|b", "%", "'", `"`, "\r\n",
}

// TestConditions compares what the server finds with what Go finds, for random
// conditions on documents of hostile texts, and for each beginning, end and middle.
func TestConditions(t *testing.T) {
	ctx := context.Background()
	docs := mongo.New(open(t, nil), "readings", &readingModel)
	random := rand.New(rand.NewPCG(1, 2))
	base := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	var all []*reading
	for i, text := range hostile {
		doc := &reading{
			ID: fmt.Sprint(i), Site: fmt.Sprint(i % 3), Text: text, Speed: random.IntN(5) - 2, Small: random.IntN(3) - 1,
			At: base.Add(time.Duration(random.IntN(4)) * time.Millisecond), Flag: random.IntN(2) == 0,
		}
		if i%7 == 0 {
			doc.At = time.Time{}
		}
		if random.IntN(2) == 0 {
			w := float64(random.IntN(4)) / 2
			doc.Weight = &w
		}
		if random.IntN(2) == 0 {
			doc.Meta = &meta{Level: random.IntN(3) - 1}
		}
		if random.IntN(2) == 0 {
			doc.Tags = []string{text}
		}
		if err := docs.Create(ctx, doc); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		all = append(all, doc)
	}
	check := func(c check) {
		t.Helper()
		got, err := mongo.NewQuery(docs, generated.Keys{}).Where(c.predicate).Collect(ctx)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			return
		}
		var ids, want []string
		for _, doc := range got {
			ids = append(ids, doc.ID)
		}
		for _, doc := range all {
			if c.holds(doc) {
				want = append(want, doc.ID)
			}
		}
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) {
			t.Errorf("%s: found %v, want %v", c.name, ids, want)
		}
	}
	for _, c := range textChecks() {
		check(c)
	}
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
		check(randomCheck(random, base, 3))
	}
}

// check is a condition, as a predicate and in Go.
type check struct {
	name      string
	predicate documents.Predicate[reading]
	holds     func(*reading) bool
}

func textChecks() []check {
	f := readingFields.Text
	var all []check
	for _, text := range hostile {
		name := func(method string) string { return fmt.Sprintf("%s(%q)", method, text) }
		all = append(all,
			check{name("Eq"), f.Eq(text), func(r *reading) bool { return r.Text == text }},
			check{name("Ne"), f.Ne(text), func(r *reading) bool { return r.Text != text }},
			check{name("Lt"), f.Lt(text), func(r *reading) bool { return r.Text < text }},
			check{name("Le"), f.Le(text), func(r *reading) bool { return r.Text <= text }},
			check{name("Gt"), f.Gt(text), func(r *reading) bool { return r.Text > text }},
			check{name("Ge"), f.Ge(text), func(r *reading) bool { return r.Text >= text }},
			check{name("In"), f.In(text, "a"), func(r *reading) bool { return r.Text == text || r.Text == "a" }},
			check{name("Between"), f.Between("a", text), func(r *reading) bool { return "a" <= r.Text && r.Text <= text }},
			check{name("StartsWith"), f.StartsWith(text), func(r *reading) bool { return strings.HasPrefix(r.Text, text) }},
			check{name("EndsWith"), f.EndsWith(text), func(r *reading) bool { return strings.HasSuffix(r.Text, text) }},
			check{name("Contains"), f.Contains(text), func(r *reading) bool { return strings.Contains(r.Text, text) }},
			check{name("EqualFold"), f.EqualFold(text), func(r *reading) bool { return lower(r.Text) == lower(text) }},
		)
	}
	return all
}

// lower returns a text with the letters A to Z in lower case.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

func randomCheck(random *rand.Rand, base time.Time, depth int) check {
	f := readingFields
	if depth > 0 && random.IntN(2) == 0 {
		switch random.IntN(3) {
		case 0:
			c := randomCheck(random, base, depth-1)
			return check{"not " + c.name, documents.Not(c.predicate), func(r *reading) bool { return !c.holds(r) }}
		case 1:
			a, b := randomCheck(random, base, depth-1), randomCheck(random, base, depth-1)
			return check{"(" + a.name + " and " + b.name + ")", documents.And(a.predicate, b.predicate), func(r *reading) bool { return a.holds(r) && b.holds(r) }}
		}
		a, b := randomCheck(random, base, depth-1), randomCheck(random, base, depth-1)
		return check{"(" + a.name + " or " + b.name + ")", documents.Or(a.predicate, b.predicate), func(r *reading) bool { return a.holds(r) || b.holds(r) }}
	}
	switch random.IntN(8) {
	case 0:
		return numberCheck(random, "speed", f.Speed, func(r *reading) *int { return &r.Speed })
	case 1:
		return numberCheck(random, "small", f.Small, func(r *reading) *int { return &r.Small })
	case 2:
		return numberCheck(random, "level", f.Level, func(r *reading) *int {
			if r.Meta == nil {
				return nil
			}
			return &r.Meta.Level
		})
	case 3:
		v := float64(random.IntN(4)) / 2
		return check{fmt.Sprintf("weight != %v", v), f.Weight.Ne(v), func(r *reading) bool { return r.Weight != nil && *r.Weight != v }}
	case 4:
		return check{"weight exists", f.Weight.HasValue(), func(r *reading) bool { return r.Weight != nil }}
	case 5:
		v := random.IntN(2) == 0
		return check{fmt.Sprintf("flag %v", v), f.Flag.Eq(v), func(r *reading) bool { return r.Flag == v }}
	case 6:
		return check{"tags exist", f.Tags.HasValue(), func(r *reading) bool { return r.Tags != nil }}
	}
	at := base.Add(time.Duration(random.IntN(8)) * time.Millisecond / 2)
	switch random.IntN(7) {
	case 0:
		return check{"at < " + at.String(), f.At.Lt(at), func(r *reading) bool { return r.At.Before(at) }}
	case 1:
		return check{"at <= " + at.String(), f.At.Le(at), func(r *reading) bool { return !r.At.After(at) }}
	case 2:
		return check{"at > " + at.String(), f.At.Gt(at), func(r *reading) bool { return r.At.After(at) }}
	case 3:
		return check{"at >= " + at.String(), f.At.Ge(at), func(r *reading) bool { return !r.At.Before(at) }}
	case 4:
		return check{"at = " + at.String(), f.At.Eq(at), func(r *reading) bool { return r.At.Equal(at) }}
	case 5:
		return check{"at in " + at.String(), f.At.In(at, base), func(r *reading) bool { return r.At.Equal(at) || r.At.Equal(base) }}
	}
	return check{"at != " + at.String(), f.At.Ne(at), func(r *reading) bool { return !r.At.Equal(at) }}
}

// numberCheck returns a comparison of a field, of which get returns nil if there is no
// value.
func numberCheck(random *rand.Rand, name string, f documents.Number[reading, int], get func(*reading) *int) check {
	v, w := random.IntN(5)-2, random.IntN(5)-2
	is := func(holds func(n int) bool) func(*reading) bool {
		return func(r *reading) bool { n := get(r); return n != nil && holds(*n) }
	}
	switch random.IntN(8) {
	case 0:
		return check{fmt.Sprint(name, " = ", v), f.Eq(v), is(func(n int) bool { return n == v })}
	case 1:
		return check{fmt.Sprint(name, " != ", v), f.Ne(v), is(func(n int) bool { return n != v })}
	case 2:
		return check{fmt.Sprint(name, " < ", v), f.Lt(v), is(func(n int) bool { return n < v })}
	case 3:
		return check{fmt.Sprint(name, " <= ", v), f.Le(v), is(func(n int) bool { return n <= v })}
	case 4:
		return check{fmt.Sprint(name, " > ", v), f.Gt(v), is(func(n int) bool { return n > v })}
	case 5:
		return check{fmt.Sprint(name, " >= ", v), f.Ge(v), is(func(n int) bool { return n >= v })}
	case 6:
		return check{fmt.Sprint(name, " between ", v, " and ", w), f.Between(v, w), is(func(n int) bool { return v <= n && n <= w })}
	}
	return check{fmt.Sprint(name, " in ", v, ", ", w), f.In(v, w), is(func(n int) bool { return n == v || n == w })}
}
