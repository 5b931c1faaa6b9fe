package mongo

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// shards keeps the documents of one collection as an account with request units does: an
// _id is unique within a shard key. It knows the commands and the operators that this
// package sends.
type shards struct {
	mu      sync.Mutex
	docs    []bson.Raw
	cursors map[int64][]bson.Raw
	last    int64
}

func (s *shards) answer(name string, command bson.Raw) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch name {
	case "insert":
		doc := command.Lookup("documents", "0").Document()
		if s.at(doc) >= 0 {
			return refusedWrite(11000, "E11000 duplicate key")
		}
		s.docs = append(s.docs, bytes.Clone(doc))
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	case "update":
		update := command.Lookup("updates", "0").Document()
		i := slices.IndexFunc(s.docs, func(doc bson.Raw) bool { return matches(update.Lookup("q").Document(), doc) })
		upsert, _ := update.Lookup("upsert").BooleanOK()
		switch {
		case i >= 0:
			s.docs[i] = bytes.Clone(update.Lookup("u").Document())
		case upsert:
			s.docs = append(s.docs, bytes.Clone(update.Lookup("u").Document()))
		default:
			return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}, {Key: "nModified", Value: 0}}
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}, {Key: "nModified", Value: 1}}
	case "delete":
		n := len(s.docs)
		filter := command.Lookup("deletes", "0", "q").Document()
		s.docs = slices.DeleteFunc(s.docs, func(doc bson.Raw) bool { return matches(filter, doc) })
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: n - len(s.docs)}}
	case "find":
		found := s.find(command.Lookup("filter").Document(), command.Lookup("sort"))
		if limit, ok := command.Lookup("limit").AsInt64OK(); ok && limit > 0 {
			found = found[:min(len(found), int(limit))]
		}
		return s.batch("firstBatch", found, command)
	case "getMore":
		id := command.Lookup("getMore").Int64()
		rest := s.cursors[id]
		delete(s.cursors, id)
		return s.batch("nextBatch", rest, command)
	case "aggregate":
		n := len(s.find(command.Lookup("pipeline", "0", "$match").Document(), bson.RawValue{}))
		batch := bson.A{}
		if n > 0 {
			batch = bson.A{bson.D{{Key: "_id", Value: 1}, {Key: "n", Value: n}}}
		}
		return cursorOf(0, "firstBatch", batch)
	}
	return failed(59, "no such command: "+name)
}

func cursorOf(id int64, name string, batch any) bson.D {
	return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: id}, {Key: "ns", Value: "d.c"}, {Key: name, Value: batch}}}}
}

// batch answers with a batch, and keeps the rest for the next one.
func (s *shards) batch(name string, found []bson.Raw, command bson.Raw) any {
	size, ok := command.Lookup("batchSize").AsInt64OK()
	if !ok || size >= int64(len(found)) {
		return cursorOf(0, name, append([]bson.Raw{}, found...)) // a list, also if it is empty
	}
	s.last++
	if s.cursors == nil {
		s.cursors = map[int64][]bson.Raw{}
	}
	s.cursors[s.last] = found[size:]
	return cursorOf(s.last, name, found[:size])
}

func (s *shards) at(doc bson.Raw) int {
	return slices.IndexFunc(s.docs, func(other bson.Raw) bool {
		return doc.Lookup("_id").Equal(other.Lookup("_id")) && doc.Lookup("partitionKey").Equal(other.Lookup("partitionKey"))
	})
}

func (s *shards) find(filter bson.Raw, sort bson.RawValue) []bson.Raw {
	var found []bson.Raw
	for _, doc := range s.docs {
		if matches(filter, doc) {
			found = append(found, doc)
		}
	}
	if order, ok := sort.DocumentOK(); ok {
		elements, _ := order.Elements()
		slices.SortStableFunc(found, func(a, b bson.Raw) int {
			for _, e := range elements {
				if c := compareValues(value(a, e.Key()), value(b, e.Key())); c != 0 {
					return c * int(e.Value().AsInt64())
				}
			}
			return 0
		})
	}
	return found
}

func value(doc bson.Raw, path string) bson.RawValue {
	v, err := doc.LookupErr(strings.Split(path, ".")...)
	if err != nil {
		return bson.RawValue{Type: bson.TypeNull}
	}
	return v
}

// bracket is the type by which values are compared: only those of one bracket are greater
// or less than each other in a filter, and a sort orders brackets.
func bracket(v bson.RawValue) int {
	switch v.Type {
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDouble:
		return 1
	case bson.TypeString:
		return 2
	case bson.TypeBoolean:
		return 3
	case bson.TypeDateTime:
		return 4
	}
	return 0 // null
}

func number(v bson.RawValue) float64 {
	if f, ok := v.DoubleOK(); ok {
		return f
	}
	return float64(v.AsInt64())
}

func compareValues(a, b bson.RawValue) int {
	if c := cmp.Compare(bracket(a), bracket(b)); c != 0 {
		return c
	}
	switch bracket(a) {
	case 1:
		return cmp.Compare(number(a), number(b))
	case 2:
		return cmp.Compare(a.StringValue(), b.StringValue())
	case 3:
		return bytes.Compare(a.Value, b.Value)
	case 4:
		return a.Time().Compare(b.Time().Truncate(time.Nanosecond))
	}
	return 0
}

func matches(filter, doc bson.Raw) bool {
	elements, _ := filter.Elements()
	for _, e := range elements {
		if !holds(e, doc) {
			return false
		}
	}
	return true
}

func holds(e bson.RawElement, doc bson.Raw) bool {
	operand := e.Value()
	each := func() []bson.RawValue {
		values, err := operand.Array().Values()
		if err != nil {
			panic(err)
		}
		return values
	}
	match := func(v bson.RawValue) bool { return matches(v.Document(), doc) }
	switch e.Key() {
	case "$and":
		return !slices.ContainsFunc(each(), func(v bson.RawValue) bool { return !match(v) })
	case "$or":
		return slices.ContainsFunc(each(), match)
	case "$nor":
		return !slices.ContainsFunc(each(), match)
	}
	v := value(doc, e.Key())
	tests, ok := operand.DocumentOK()
	if !ok {
		return compareValues(v, operand) == 0
	}
	elements, _ := tests.Elements()
	for _, test := range elements {
		if !tested(v, test.Key(), test.Value()) {
			return false
		}
	}
	return true
}

func tested(v bson.RawValue, operator string, operand bson.RawValue) bool {
	among := func() bool {
		values, err := operand.Array().Values()
		if err != nil {
			panic(err)
		}
		return slices.ContainsFunc(values, func(o bson.RawValue) bool { return compareValues(v, o) == 0 })
	}
	same := bracket(v) == bracket(operand)
	switch c := compareValues(v, operand); operator {
	case "$eq":
		return c == 0
	case "$ne":
		return c != 0
	case "$lt":
		return same && c < 0
	case "$lte":
		return same && c <= 0
	case "$gt":
		return same && c > 0
	case "$gte":
		return same && c >= 0
	case "$in":
		return among()
	case "$nin":
		return !among()
	case "$exists":
		return (bracket(v) != 0) == operand.Boolean()
	case "$regex":
		text, ok := v.StringValueOK()
		return ok && regexp.MustCompile(operand.StringValue()).MatchString(text)
	}
	panic("operator " + operator)
}
