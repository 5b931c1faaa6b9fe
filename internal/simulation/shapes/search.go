package shapes

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Searcher reads documents by properties that only some shapes have. A document that is not as
// it should be has the tag Wrong, which no program writes.
type Searcher interface {
	// Rank reads all documents in the order of scores: of their text, of text and vector together,
	// or of their vector alone. The way decides which.
	Rank(ctx context.Context, at Doc, way int) ([]Doc, error)
	// Elements reads the documents whose list has the line, or the elements that are the line.
	Elements(ctx context.Context, at Doc, rows bool) ([]Doc, error)
	// Computed reads the documents of a line by the computed property, or, with a size of pages, all
	// documents in its order.
	Computed(ctx context.Context, at Doc, size int) ([]Doc, error)
}

// Wrong is the tag of a document that a query of a Searcher has given in the wrong order, or with
// other contents.
const Wrong = "wrong"

// Properties that follow from the key of a document, so that patches need not change them.
const (
	body   = "/body"
	vector = "4,cosine/vector"
	parts  = "/parts"
	lower  = "/lowerLine"
)

// vectorOf returns the vector of a document.
func vectorOf(d Doc) []float32 {
	last := func(s string) float32 {
		if s == "" {
			return 0
		}
		return float32(s[len(s)-1] - '0')
	}
	return []float32{1, last(d.Line), last(d.VIN), float32(d.Number)}
}

// linesIn is how many parts of a document are its line.
const linesIn = 2

// derived returns the properties that follow from the key of a document, by the names of fields.
func derived(d Doc) map[string]any {
	return map[string]any{"Body": d.Line + " " + d.VIN + ", " + d.Line, "Vector": vectorOf(d), "Parts": []string{d.Line, d.VIN, d.Line}}
}

// derive sets the properties that follow from the key.
func (s reflected[T]) derive(t *T, d Doc) {
	of := reflect.ValueOf(t).Elem()
	for name, v := range derived(d) {
		if n, has := s.fields[name]; has {
			of.Field(n).Set(reflect.ValueOf(v))
		}
	}
}

// checked returns a document, with the tag Wrong if a property that follows from the key is another.
func (s reflected[T]) checked(t *T) Doc {
	d, of := s.out(t), reflect.ValueOf(t).Elem()
	for name, v := range derived(d) {
		if n, has := s.fields[name]; has && !reflect.DeepEqual(of.Field(n).Interface(), v) {
			d.Tag = Wrong
		}
	}
	return d
}

func (s *typed[T, K, P]) Rank(ctx context.Context, at Doc, way int) ([]Doc, error) {
	words := documents.FullText[T, string]{String: body}.Score(at.Line, at.VIN)
	near := documents.Vector[T, float32](vector)
	var rows repository.Rows[repository.Scored[T]]
	switch way % 4 {
	case 0:
		rows = repository.OrderByRank(s.scan(), words).Rows
	case 1:
		rows = repository.OrderByRank(s.scan(), words, near.Distance(vectorOf(at)).Weight(2)).Rows
	case 2:
		rows = repository.OrderByRank(s.scan(), near.Distance(vectorOf(at)), words).FullTextScoreScope(repository.Local).Rows
	default:
		rows = repository.Nearest(s.scan(), near, vectorOf(at))
	}
	var docs []Doc
	before := math.Inf(1)
	for row, err := range rows.Limit(100).All(ctx) {
		if err != nil {
			return nil, err
		}
		d := s.checked(row.Document)
		if row.Score > before {
			d.Tag = Wrong
		}
		before = row.Score
		docs = append(docs, d)
	}
	return docs, nil
}

func (s *typed[T, K, P]) Elements(ctx context.Context, at Doc, rows bool) ([]Doc, error) {
	list, same := documents.List[T, string](parts), documents.String[string, string](".").Eq(at.Line)
	if !rows {
		return s.collect(s.scan().Where(list.Any(same)).All(ctx))
	}
	var docs []Doc
	count := map[string]int{}
	for row, err := range repository.Join[T, string](s.scan(), list, same).All(ctx) {
		if err != nil {
			return nil, err
		}
		d := s.checked(&row.Document)
		n, computes := s.fields["LowerLine"]
		if row.Element != at.Line || computes && reflect.ValueOf(row.Document).Field(n).String() != strings.ToLower(d.Line) {
			d.Tag = Wrong
		}
		if count[d.ID]++; count[d.ID] == 1 {
			docs = append(docs, d)
		}
	}
	for i := range docs {
		if count[docs[i].ID] != linesIn {
			docs[i].Tag = Wrong
		}
	}
	return docs, nil
}

func (s *typed[T, K, P]) Computed(ctx context.Context, at Doc, size int) ([]Doc, error) {
	line := documents.String[T, string](lower)
	if size == 0 {
		return s.collect(s.scan().Where(line.Eq(strings.ToLower(at.Line))).All(ctx))
	}
	docs, err := s.read(ctx, s.scan().OrderBy(line.Desc()), size)
	for i := 1; i < len(docs); i++ {
		if docs[i].Line > docs[i-1].Line {
			docs[i].Tag = Wrong
		}
	}
	return docs, err
}

func (s tenanted[T, K, P]) Rank(ctx context.Context, at Doc, way int) ([]Doc, error) {
	return s.each(func(t *typed[T, K, P]) ([]Doc, error) { return t.Rank(ctx, at, way) })
}

func (s tenanted[T, K, P]) Elements(ctx context.Context, at Doc, rows bool) ([]Doc, error) {
	return s.each(func(t *typed[T, K, P]) ([]Doc, error) { return t.Elements(ctx, at, rows) })
}

func (s tenanted[T, K, P]) Computed(ctx context.Context, at Doc, size int) ([]Doc, error) {
	return s.each(func(t *typed[T, K, P]) ([]Doc, error) { return t.Computed(ctx, at, size) })
}

// Definition returns the definition of a container as JSON. Azcosmos 1.5.0 does not know the
// computed properties of containers: one whose policy has the index of ours has the property.
func Definition(p azcosmos.ContainerProperties) ([]byte, error) {
	text, err := json.Marshal(p)
	if err == nil && bytes.Contains(text, []byte(`"`+lower+`/?"`)) {
		text = append(text[:len(text)-1], `,"computedProperties":[{"name":"lowerLine","query":"SELECT VALUE LOWER(c.line) FROM c"}]}`...)
	}
	return text, err
}
