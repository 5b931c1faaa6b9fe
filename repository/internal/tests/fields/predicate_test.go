package fields

import (
	"math"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
)

type (
	level int // marshals as a number
	grade int // marshals as a text
	name  string
	flag  bool
)

func (g grade) MarshalText() ([]byte, error) {
	if g < 0 {
		return nil, errNegative
	}
	return []byte(strings.Repeat("i", int(g))), nil
}

var (
	speed   = documents.Number[values.Specimen, int]("/speed")
	count   = documents.Number[values.Specimen, int]("?/count")
	nested  = documents.Number[values.Specimen, level]("?1/meta/level")
	ratio   = documents.Number[values.Specimen, float64]("/ratio")
	vin     = documents.String[values.Specimen, name]("/vin")
	remark  = documents.String[values.Specimen, string]("?/remark")
	active  = documents.Bool[values.Specimen, flag]("?/active")
	created = documents.Instant[values.Specimen]("?/at")
	tags    = documents.List[values.Specimen, string]("/tags")
	owner   = documents.Text[values.Specimen, netip.Addr]("?/owner")
	graded  = documents.Number[values.Specimen, grade]("/grade")
	starts  = documents.Map[values.Specimen, documents.Number[values.Specimen, int]]("?/starts")
)

type predicateCase struct {
	predicate repository.Predicate[values.Specimen]
	want      string
}

func TestPredicateText(t *testing.T) {
	noon := repository.NewTime(time.Date(2018, 8, 9, 12, 0, 0, 0, time.UTC))
	for name, c := range map[string]predicateCase{
		"Eq":             {speed.Eq(0), `c["speed"] = 0`},
		"Ne":             {speed.Ne(3), `IS_NUMBER(c["speed"]) AND c["speed"] != 3`},
		"Lt":             {speed.Lt(3), `c["speed"] < 3`},
		"Le":             {speed.Le(3), `c["speed"] <= 3`},
		"Gt":             {speed.Gt(-3), `c["speed"] > -3`},
		"Ge":             {speed.Ge(3), `c["speed"] >= 3`},
		"Between":        {speed.Between(1, 3), `c["speed"] BETWEEN 1 AND 3`},
		"In":             {speed.In(3, 1), `c["speed"] IN (3, 1)`},
		"In one":         {speed.In(3), `c["speed"] IN (3)`},
		"In none":        {speed.In(), `false`},
		"IsDefined":      {repository.IsDefined(speed), `IS_DEFINED(c["speed"])`},
		"IsNull":         {repository.IsNull(speed), `IS_NULL(c["speed"])`},
		"float":          {ratio.Lt(0.1), `c["ratio"] < 0.1`},
		"2^53":           {speed.Eq(1 << 53), `c["speed"] = 9007199254740992`},
		"large float":    {ratio.Lt(1e20), `c["ratio"] < 100000000000000000000`},
		"text":           {vin.Eq(`a"b`), `c["vin"] = "a\"b"`},
		"StartsWith":     {vin.StartsWith("1HG"), `STARTSWITH(c["vin"], "1HG")`},
		"text Ge":        {vin.Ge("1HG"), `c["vin"] >= "1HG"`},
		"text Between":   {vin.Between("1", "2"), `c["vin"] BETWEEN "1" AND "2"`},
		"EndsWith":       {vin.EndsWith("2"), `ENDSWITH(c["vin"], "2")`},
		"Contains":       {vin.Contains("A0"), `CONTAINS(c["vin"], "A0")`},
		"Contains empty": {vin.Contains(""), `IS_STRING(c["vin"])`},
		"EqualFold":      {vin.EqualFold("1hg"), `STRINGEQUALS(c["vin"], "1hg", true)`},
		"text type":      {graded.In(1, 2), `c["grade"] IN ("i", "ii")`},
		"marshaler":      {owner.Eq(netip.MustParseAddr("192.0.2.1")), `c["owner"] = "192.0.2.1"`},
		"marshaler Ne":   {owner.Ne(netip.MustParseAddr("192.0.2.1")), `NOT IS_DEFINED(c["owner"]) OR (IS_STRING(c["owner"]) AND c["owner"] != "192.0.2.1")`},
		"marshaler zero": {owner.Eq(netip.Addr{}), `NOT IS_DEFINED(c["owner"]) OR (c["owner"] = "")`},
		"marshaler In":   {owner.In(netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("::1")), `c["owner"] IN ("192.0.2.1", "::1")`},
		"marshaler none": {owner.In(), `false`},
		"list":           {tags.Contains("a"), `ARRAY_CONTAINS(c["tags"], "a")`},
		"list of none":   {tags.IsEmpty(), `NOT IS_DEFINED(c["tags"][0])`},
		"time":           {created.Gt(noon.Time()), `c["at"] > "2018-08-09T12:00:00.0000000Z"`},
		"map":            {starts.Key("a/b~").Eq(1), `c["starts"]["a/b~"] = 1`},
		"map key 0":      {starts.Key("").Eq(0), `c["starts"][""] = 0`},

		"zero Eq":         {count.Eq(0), `NOT IS_DEFINED(c["count"]) OR (c["count"] = 0)`},
		"zero Ne":         {count.Ne(0), `IS_NUMBER(c["count"]) AND c["count"] != 0`},
		"zero Ne other":   {count.Ne(1), `NOT IS_DEFINED(c["count"]) OR (IS_NUMBER(c["count"]) AND c["count"] != 1)`},
		"zero Lt":         {count.Lt(0), `c["count"] < 0`},
		"zero Ge":         {count.Ge(0), `NOT IS_DEFINED(c["count"]) OR (c["count"] >= 0)`},
		"zero In":         {count.In(1, 2), `c["count"] IN (1, 2)`},
		"zero In it":      {count.In(1, 0), `NOT IS_DEFINED(c["count"]) OR (c["count"] IN (1, 0))`},
		"zero nested":     {nested.Le(0), `(IS_OBJECT(c["meta"]) AND NOT IS_DEFINED(c["meta"]["level"])) OR (c["meta"]["level"] <= 0)`},
		"zero bool":       {active.Eq(false), `NOT IS_DEFINED(c["active"]) OR (c["active"] = false)`},
		"zero bool Ne":    {active.Ne(false), `IS_BOOL(c["active"]) AND c["active"] != false`},
		"zero text":       {remark.EqualFold(""), `NOT IS_DEFINED(c["remark"]) OR (STRINGEQUALS(c["remark"], "", true))`},
		"zero Contains":   {remark.Contains(""), `NOT IS_DEFINED(c["remark"]) OR (IS_STRING(c["remark"]))`},
		"zero time":       {created.Lt(noon.Time()), `NOT IS_DEFINED(c["at"]) OR (c["at"] < "2018-08-09T12:00:00.0000000Z")`},
		"zero IsDefined":  {repository.IsDefined(count), `IS_DEFINED(c["count"])`},
		"converted field": {documents.Number[values.Specimen, int](documents.Opaque[values.Specimen]("/x")).Eq(1), `c["x"] = 1`},

		"And":          {repository.And(speed.Gt(1), vin.Eq("x"), tags.IsEmpty()), `(c["speed"] > 1) AND (c["vin"] = "x") AND (NOT IS_DEFINED(c["tags"][0]))`},
		"And one":      {repository.And(speed.Gt(1)), `c["speed"] > 1`},
		"And none":     {repository.And[values.Specimen](), `true`},
		"Or none":      {repository.Or[values.Specimen](), `false`},
		"And of none":  {repository.And(repository.And[values.Specimen](), repository.And[values.Specimen]()), `true`},
		"Or in And":    {repository.And(speed.Gt(1), repository.Or(speed.Eq(3), speed.Eq(4))), `(c["speed"] > 1) AND ((c["speed"] = 3) OR (c["speed"] = 4))`},
		"flat":         {repository.And(repository.And(speed.Gt(1), speed.Lt(3)), repository.And[values.Specimen](), speed.Ne(2)), `(c["speed"] > 1) AND (c["speed"] < 3) AND (IS_NUMBER(c["speed"]) AND c["speed"] != 2)`},
		"Not":          {repository.Not(speed.Gt(1)), `NOT (IS_NUMBER(c["speed"]) AND c["speed"] > 1)`},
		"Not Between":  {repository.Not(speed.Between(1, 2)), `NOT (IS_NUMBER(c["speed"]) AND c["speed"] BETWEEN 1 AND 2)`},
		"Not text Lt":  {repository.Not(vin.Lt("a")), `NOT (IS_STRING(c["vin"]) AND c["vin"] < "a")`},
		"Not text":     {repository.Not(vin.StartsWith("a")), `NOT (IS_STRING(c["vin"]) AND STARTSWITH(c["vin"], "a"))`},
		"Not grade":    {repository.Not(graded.Eq(1)), `NOT (IS_STRING(c["grade"]) AND c["grade"] = "i")`},
		"Not list":     {repository.Not(tags.Contains("a")), `NOT (IS_ARRAY(c["tags"]) AND ARRAY_CONTAINS(c["tags"], "a"))`},
		"Not defined":  {repository.Not(repository.IsDefined(speed)), `NOT (IS_DEFINED(c["speed"]))`},
		"double Not":   {repository.Not(repository.Not(speed.Gt(1))), `c["speed"] > 1`},
		"Not And":      {repository.Not(repository.And(speed.Gt(1), count.Eq(0))), `NOT ((IS_NUMBER(c["speed"]) AND c["speed"] > 1) AND (NOT IS_DEFINED(c["count"]) OR (IS_NUMBER(c["count"]) AND c["count"] = 0)))`},
		"Not anything": {repository.Not(repository.And[values.Specimen]()), `NOT (true)`},
	} {
		if got := sqlOf(c.predicate); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestPredicateRefuses(t *testing.T) {
	year := repository.NewTime(time.Date(12018, 8, 9, 0, 0, 0, 0, time.UTC))
	for name, c := range map[string]predicateCase{
		"NaN":             {ratio.Gt(math.NaN()), `field "/ratio": Gt: NaN has no form in JSON`},
		"infinity":        {ratio.Between(0, math.Inf(1)), `field "/ratio": Between: +Inf has no form in JSON`},
		"NaN in In":       {ratio.In(1, math.NaN()), `field "/ratio": In: NaN`},
		"2^53+1":          {speed.Eq(1<<53 + 1), "the value is beyond 2^53: Cosmos DB keeps numbers as float64"},
		"-2^53-1":         {speed.Ge(-1<<53 - 1), "the value is beyond"},
		"uint64":          {documents.Number[values.Specimen, uint64]("/u").Eq(math.MaxUint64), "the value is beyond"},
		"in a list":       {documents.List[values.Specimen, any]("/l").Contains(int64(math.MaxInt64)), `field "/l": Contains: the value is beyond`},
		"NaN in a list":   {documents.List[values.Specimen, float64]("/l").Contains(math.NaN()), "Contains: NaN"},
		"order of text":   {graded.Gt(1), "Gt: fields.grade is not a number in JSON"},
		"no text":         {documents.Text[values.Specimen, mixed]("/m").Eq(0), `field "/m": Eq: fields.mixed is not a text in JSON: use WhereRaw`},
		"null for a text": {documents.Text[values.Specimen, mixed]("/m").Ne(2), "use IsNull"},
		"own marshaller":  {graded.Eq(-1), "Eq: json: error calling MarshalText for type *fields.grade"},
		"mixed types":     {documents.Number[values.Specimen, mixed]("/m").In(0, 1), "different types in JSON"},
		"null":            {documents.Number[values.Specimen, mixed]("/m").Eq(2), "use IsNull"},
		"year":            {created.Lt(year.Time()), "a year of UTC before 0 or after 9999"},
		"half a rune":     {vin.Gt("\xc3"), `the text is not valid UTF-8`},
		"part of a rune":  {vin.StartsWith("\xc3"), `the text is not valid UTF-8`},
		"zero predicate":  {repository.Predicate[values.Specimen]{}, "the zero Predicate has no condition"},
		"zero in And":     {repository.And(speed.Eq(1), repository.Predicate[values.Specimen]{}), "the zero Predicate"},
		"zero in Not":     {repository.Not(repository.Predicate[values.Specimen]{}), "the zero Predicate"},
		"deep":            {repository.Or(speed.Eq(1), repository.Not(repository.And(ratio.Eq(math.NaN()), speed.Eq(2)))), "NaN"},
		"no pointer":      {documents.Number[values.Specimen, int]("speed").Eq(1), `field "speed" is not a JSON pointer: write / before each name, such as "/speed"`},
		"empty":           {repository.IsNull(documents.Opaque[values.Specimen]("")), `field "" is not a JSON pointer`},
		"number, no name": {repository.IsNull(documents.Opaque[values.Specimen]("?1")), "not a JSON pointer"},
		"mark at the top": {repository.IsNull(documents.Opaque[values.Specimen]("?1/a")), "how many of the 0 names"},
		"doubled escape":  {repository.IsNull(documents.Opaque[values.Specimen]("/~~01")), "write ~0 for ~"},
		"only a mark":     {repository.IsNull(documents.Opaque[values.Specimen]("?")), `field "?" is not a JSON pointer`},
		"bad escape":      {repository.IsNull(documents.Opaque[values.Specimen]("/a~0~2")), "write ~0 for ~"},
		"bad mark":        {repository.IsNull(documents.Opaque[values.Specimen]("!/a")), "not a JSON pointer"},
		"mark too deep":   {repository.IsNull(documents.Opaque[values.Specimen]("?2/a/b")), "how many of the 1 names before the last lead to a pointer"},
		"mark 0":          {repository.IsNull(documents.Opaque[values.Specimen]("?0/a/b")), "how many of the 1 names before the last lead to a pointer"},
		"odd mark":        {repository.IsNull(documents.Opaque[values.Specimen]("?x/a/b")), "how many of the 1 names before the last lead to a pointer"},
	} {
		if got := sqlOf(c.predicate); !strings.HasPrefix(got, "invalid: ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want an error with %s", name, got, c.want)
		}
	}
}

// What is wrong with a predicate is returned by whatever runs the query, and
// nothing is sent.
func TestQueryKeepsTheFirstError(t *testing.T) {
	q := newSpecimens(t, nil).Where(ratio.Eq(1), ratio.Eq(math.NaN()), speed.Eq(1)).Where(ratio.Eq(math.Inf(1)))
	want := `query Specimen: field "/ratio": Eq: NaN has no form in JSON`
	check := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	var meter repository.Meter
	ctx := repository.WithMeter(t.Context(), &meter)
	_, err := q.Collect(ctx)
	check(err)
	_, err = q.First(ctx)
	check(err)
	for _, err := range q.All(ctx) {
		check(err)
	}
	if n := meter.Requests(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// sqlOf is a predicate as SQL, or what is wrong with it.
func sqlOf(p repository.Predicate[values.Specimen]) string {
	sql, err := predicate.PatchSQL(p.Node())
	if err != nil {
		return "invalid: " + err.Error()
	}
	return sql
}

func TestOrderText(t *testing.T) {
	for _, c := range []struct {
		order repository.Order[values.Specimen]
		want  string
	}{
		{speed.Asc(), `speed ASC`},
		{count.Desc(), `count DESC`},
		{nested.Desc(), `meta.level DESC`},
		{vin.Asc(), `vin ASC`},
		{vin.Desc(), `vin DESC`},
		{active.Asc(), `active ASC`},
		{active.Desc(), `active DESC`},
		{created.Asc(), `at ASC`},
		{created.Desc(), `at DESC`},
		{starts.Key("x").Asc(), `starts.x ASC`},
	} {
		if got := c.order.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// What is passed in may be changed afterwards, and predicates may be shared.
func TestPredicatesAreImmutable(t *testing.T) {
	operands := []repository.Predicate[values.Specimen]{speed.Gt(1), vin.Eq("x")}
	both := repository.And(operands...)
	numbers := []int{1, 2}
	in := speed.In(numbers...)
	element := map[string]int{"a": 1}
	contains := documents.List[values.Specimen, map[string]int]("/l").Contains(element)
	before := []string{sqlOf(both), sqlOf(in), sqlOf(contains)}
	operands[0], numbers[0], element["a"] = speed.Lt(0), 9, 9
	for i, p := range []repository.Predicate[values.Specimen]{both, in, contains} {
		if sqlOf(p) != before[i] {
			t.Errorf("%s has become %s", before[i], p)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if got := sqlOf(repository.Not(both)); !strings.HasPrefix(got, "NOT (") {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	wg.Wait()
}

func TestLongChainsStayFlat(t *testing.T) {
	p := repository.Or[values.Specimen]()
	for i := range 2000 {
		p = repository.Or(p, speed.Eq(i))
	}
	text := sqlOf(p)
	if n := strings.Count(text, "("); n != 2000 || strings.Contains(text, "((") {
		t.Errorf("%d parentheses in %.60s…", n, text)
	}
}
