package lists

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists/parts"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Few values, so that documents and predicates meet often, with texts that would end a text of
// SQL or begin a comment.
var (
	texts  = []string{"", "a", "A", "ab", `"'\`, "é", `") --`, "@pkgen0", "] /*"}
	counts = []int{-1, 0, 1, 2}
	prices = []float64{-0.5, 0, 1.25}
	times  = []time.Time{{}, time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC), time.Date(2018, 8, 9, 6, 5, 4, 5e8, time.UTC)}
	codes  = []netip.Addr{{}, netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.1")}
	keys   = []string{"", "a", "b/c", `"x]`}
)

var (
	f = lists.BasketFields
	l = lists.LineFields
)

func always[D, V any](get func(*D) V) func(*D) (V, bool) {
	return func(d *D) (V, bool) { return get(d), true }
}

func pointed[D, V any](get func(*D) *V) func(*D) (V, bool) {
	return func(d *D) (v V, ok bool) {
		p := get(d)
		if p == nil {
			return v, false
		}
		return *p, true
	}
}

func pointers[V any](list []V) []*V {
	all := make([]*V, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// itself reaches a value that is no object.
func itself[V any]() access[V, V] { return access[V, V]{get: func(v *V) (V, bool) { return *v, true }} }

func compareTimes(x repository.Time, t time.Time) int { return x.Time().Compare(t) }

func ofText[D any](f documents.String[D, string], a access[D, string]) []maker[D] {
	return []maker[D]{ordered[D, string, string](f, a, texts, strings.Compare), partOf(f, a)}
}

// tags are rules about elements that are texts.
var tags = joined(ofText(f.Tags.Element, itself[string]()), 2)

func tagsOf(line *lists.Line) []*string { return pointers(line.Tags) }

// lines are rules about lines.
var lines = joined(slices.Concat(
	ofText(l.SKU, access[lists.Line, string]{path: []string{"sku"}, get: always(func(x *lists.Line) string { return x.SKU })}),
	[]maker[lists.Line]{
		ordered[lists.Line, int, int](l.Count, access[lists.Line, int]{path: []string{"count"}, get: always(func(x *lists.Line) int { return x.Count }), omitted: true}, counts, cmp.Compare[int]),
		ordered[lists.Line, float64, float64](l.Price, access[lists.Line, float64]{path: []string{"price"}, get: pointed(func(x *lists.Line) *float64 { return x.Price })}, prices, cmp.Compare[float64]),
		ordered[lists.Line, time.Time, repository.Time](l.Sold, access[lists.Line, repository.Time]{path: []string{"sold"}, get: always(func(x *lists.Line) repository.Time { return x.Sold }), omitted: true}, times, compareTimes),
		ordered[lists.Line, int, int](l.Size.Height, access[lists.Line, int]{path: []string{"größe [x].y", "height"}, get: always(func(x *lists.Line) int { return x.Size.Height })}, counts, cmp.Compare[int]),
		ordered[lists.Line, int, int](l.Size.Width, access[lists.Line, int]{path: []string{"größe [x].y", "width"}, get: always(func(x *lists.Line) int { return x.Size.Width }), omitted: true}, counts, cmp.Compare[int]),
		ordered[lists.Line, int, int](l.Box.Size.Height, access[lists.Line, int]{path: []string{"box", "size", "height"}, get: func(x *lists.Line) (int, bool) {
			if x.Box == nil {
				return 0, false
			}
			return x.Box.Size.Height, true
		}, omitted: true, holder: 1}, counts, cmp.Compare[int]),
		present(l.Price, l.Price.HasValue, []string{"price"}, func(x *lists.Line) (bool, bool) { return x.Price != nil, false }),
		present(l.Box, l.Box.HasValue, []string{"box"}, func(x *lists.Line) (bool, bool) { return true, x.Box == nil }),
		onList(l.Tags.List, []string{"tags"}, tagsOf, tags),
		func(r *rand.Rand) rule[lists.Line] {
			v := pick(r, texts)
			return rule[lists.Line]{
				l.Tags.Contains(v),
				func(x any) bool { list, _ := at(x, "tags").([]any); return slices.Contains(list, any(v)) },
				func(x *lists.Line) bool { return x != nil && slices.Contains(x.Tags, v) },
			}
		},
	},
), 3)

// nodes are rules about trees.
func nodes(depth int) maker[lists.Node] {
	all := ofText(lists.NodeFields.Name, access[lists.Node, string]{path: []string{"name"}, get: always(func(x *lists.Node) string { return x.Name })})
	if depth > 0 {
		all = append(all, onList(lists.NodeFields.Children, []string{"children"}, func(x *lists.Node) []*lists.Node { return pointers(x.Children) }, nodes(depth-1)))
	}
	return joined(all, 2)
}

// anyOf are the elements of a list of lists, which queries have as any.
func anyOf[V any](list []V) []*any {
	all := make([]*any, len(list))
	for i := range list {
		var v any = list[i]
		all[i] = &v
	}
	return all
}

func within[V any](v *any) []*V { list, _ := (*v).([]V); return pointers(list) }

var numbers = joined([]maker[int]{ordered[int, int, int](f.Counts.Element, itself[int](), counts, cmp.Compare[int])}, 2)

// baskets are rules about documents.
var baskets = joined([]maker[lists.Basket]{
	ordered[lists.Basket, int, int](f.Value, access[lists.Basket, int]{path: []string{"value"}, get: always(func(b *lists.Basket) int { return b.Value })}, counts, cmp.Compare[int]),
	onList(f.Lines, []string{"lines"}, func(b *lists.Basket) []*lists.Line { return pointers(b.Lines) }, lines),
	onList(f.More, []string{"more"}, func(b *lists.Basket) []*lists.Line { return b.More }, lines),
	onList(f.Pair, []string{"pair"}, func(b *lists.Basket) []*lists.Line { return pointers(b.Pair[:]) }, lines),
	onList(f.Untold, []string{"untold"}, func(b *lists.Basket) []*lists.Line { return pointers(b.Untold) }, lines),
	func(r *rand.Rand) rule[lists.Basket] {
		key := pick(r, keys)
		return onList(f.ByShelf.Key(key), []string{"byShelf", key}, func(b *lists.Basket) []*lists.Line { return pointers(b.ByShelf[key]) }, lines)(r)
	},
	onList(f.Held.Lines, []string{"held", "lines"}, func(b *lists.Basket) []*lists.Line {
		if b.Held == nil {
			return nil
		}
		return pointers(b.Held.Lines)
	}, lines),
	onList(f.Table.List, []string{"table"}, func(b *lists.Basket) []*any { return anyOf(b.Table) },
		joined([]maker[any]{onList(f.Table.Element, nil, within[lists.Line], lines)}, 1)),
	onList(f.Tree, []string{"tree"}, func(b *lists.Basket) []*lists.Node { return pointers(b.Tree) }, nodes(3)),
	onList(f.Parts, []string{"parts"}, func(b *lists.Basket) []*parts.Part { return pointers(b.Parts) }, joined(slices.Concat(
		ofText(lists.PartFields.Name, access[parts.Part, string]{path: []string{"name"}, get: always(func(x *parts.Part) string { return x.Name })}),
		ofText(lists.PartFields.Maker.Country, access[parts.Part, string]{path: []string{"maker", "country"}, get: func(x *parts.Part) (string, bool) {
			if x.Maker == nil {
				return "", false
			}
			return x.Maker.Country, true
		}, omitted: true, holder: 1}),
	), 2)),
	onList(f.Tags.List, []string{"tags"}, func(b *lists.Basket) []*string { return pointers(b.Tags) }, tags),
	onList(f.Counts.List, []string{"counts"}, func(b *lists.Basket) []*int { return b.Counts }, numbers),
	onList(f.Flags.List, []string{"flags"}, func(b *lists.Basket) []*lists.Flag { return pointers(b.Flags) }, func(r *rand.Rand) rule[lists.Flag] {
		v := lists.Flag(r.IntN(2) == 0)
		return itself[lists.Flag]().is(f.Flags.Element.Eq(v), false, func(x lists.Flag) bool { return x == v })
	}),
	onList(f.Times.List, []string{"times"}, func(b *lists.Basket) []*repository.Time { return pointers(b.Times) },
		joined([]maker[repository.Time]{ordered[repository.Time, time.Time, repository.Time](f.Times.Element, itself[repository.Time](), times, compareTimes)}, 2)),
	onList(f.Codes.List, []string{"codes"}, func(b *lists.Basket) []*netip.Addr { return pointers(b.Codes) }, joined([]maker[netip.Addr]{func(r *rand.Rand) rule[netip.Addr] {
		v := pick(r, codes)
		return itself[netip.Addr]().is(f.Codes.Element.In(v, codes[1]), netip.Addr{}, func(x netip.Addr) bool { return x == v || x == codes[1] })
	}}, 2)),
	onList(f.Grid.List, []string{"grid"}, func(b *lists.Basket) []*any { return anyOf(b.Grid) },
		joined([]maker[any]{onList(f.Grid.Element.List, nil, within[int], numbers)}, 1)),
	onList(f.Rows.List, []string{"rows"}, func(b *lists.Basket) []*any { return anyOf(b.Rows) }, joined([]maker[any]{func(r *rand.Rand) rule[any] {
		key := pick(r, keys)
		return ordered[any, int, int](f.Rows.Element.Key(key), access[any, int]{path: []string{key}, get: func(v *any) (int, bool) {
			row, _ := (*v).(map[string]int)
			n, ok := row[key]
			return n, ok
		}}, counts, cmp.Compare[int])(r)
	}}, 2)),
}, 2)

// some returns a list of random values, sometimes nil.
func some[V any](r *rand.Rand, value func(*rand.Rand) V) []V {
	n := r.IntN(5) - 1
	if n < 0 {
		return nil
	}
	list := make([]V, n)
	for i := range list {
		list[i] = value(r)
	}
	return list
}

func one[V any](values []V) func(*rand.Rand) V {
	return func(r *rand.Rand) V { return pick(r, values) }
}

func maybe[V any](value func(*rand.Rand) V) func(*rand.Rand) *V {
	return func(r *rand.Rand) *V {
		if r.IntN(3) == 0 {
			return nil
		}
		v := value(r)
		return &v
	}
}

func randomSize(r *rand.Rand) lists.Size {
	return lists.Size{Width: pick(r, counts), Height: pick(r, counts)}
}

func randomLine(r *rand.Rand) lists.Line {
	line := lists.Line{SKU: pick(r, texts), Count: pick(r, counts), Price: maybe(one(prices))(r), Size: randomSize(r), Tags: some(r, one(texts))}
	line.Sold = repository.NewTime(pick(r, times))
	line.Box = maybe(func(r *rand.Rand) lists.Box { return lists.Box{Seal: pick(r, texts), Size: randomSize(r)} })(r)
	return line
}

func randomNode(depth int) func(*rand.Rand) lists.Node {
	return func(r *rand.Rand) lists.Node {
		n := lists.Node{Name: pick(r, texts)}
		if depth > 0 {
			n.Children = some(r, randomNode(depth-1))
		}
		return n
	}
}

// randomBasket returns a document with random lists, of which some are nil.
func randomBasket(r *rand.Rand, id, day, customer string) *lists.Basket {
	b := &lists.Basket{
		ID: id, Day: day, Customer: customer, Value: pick(r, counts),
		Lines: some(r, randomLine), More: some(r, maybe(randomLine)), Untold: some(r, randomLine),
		Table: some(r, func(r *rand.Rand) []lists.Line { return some(r, randomLine) }),
		Held:  maybe(func(r *rand.Rand) lists.Held { return lists.Held{Lines: some(r, randomLine)} })(r),
		Tree:  some(r, randomNode(2)),
		Parts: some(r, func(r *rand.Rand) parts.Part {
			return parts.Part{
				Base: parts.Base{Name: pick(r, texts)}, Number: pick(r, counts),
				Maker: maybe(func(r *rand.Rand) parts.Maker { return parts.Maker{Country: pick(r, texts)} })(r),
			}
		}),
		Tags: some(r, one(texts)), Counts: some(r, maybe(one(counts))), Flags: some(r, one([]lists.Flag{false, true})),
		Times: some(r, func(r *rand.Rand) repository.Time { return repository.NewTime(pick(r, times)) }), Codes: some(r, one(codes)),
		Grid: some(r, func(r *rand.Rand) []int { return some(r, one(counts)) }),
		Rows: some(r, func(r *rand.Rand) map[string]int {
			row := map[string]int{}
			for range r.IntN(3) {
				row[pick(r, keys)] = pick(r, counts)
			}
			return row
		}),
	}
	if r.IntN(2) == 0 {
		b.Pair = [2]lists.Line{randomLine(r), randomLine(r)}
	}
	for range r.IntN(3) {
		if b.ByShelf == nil {
			b.ByShelf = map[string][]lists.Line{}
		}
		b.ByShelf[pick(r, keys)] = some(r, randomLine)
	}
	return b
}

// asJSON returns a document as JSON, decoded.
func asJSON(b *lists.Basket) map[string]any {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	return v
}

// keyed are the properties of a document that make it a document.
var keyed = []string{"id", "day", "customer", "partitionKey", "value"}

// odd changes JSON as another program may store it: it removes values, and puts others in their
// places, of another type, null among them.
func odd(r *rand.Rand, v any) any {
	if r.IntN(8) == 0 {
		return pick(r, []any{nil, true, 3.0, "odd", []any{}, []any{nil, 1.0, "x", map[string]any{}}, map[string]any{}, map[string]any{"sku": "a"}})
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = odd(r, v[i])
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch {
			case name == "sold": // of which "odd" would be no time, and the service compares texts
			case r.IntN(8) == 0:
				delete(v, name)
			default:
				v[name] = odd(r, v[name])
			}
		}
	}
	return v
}
