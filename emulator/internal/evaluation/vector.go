package evaluation

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Embedding describes the vectors of a container at a path.
type Embedding struct {
	Path       []string
	Metric     function.Metric
	Dimensions int
}

// vectorUse is a call of VectorDistance.
type vectorUse struct {
	at     cosmossql.Token
	paths  [][]string      // of the arguments that are paths
	length int             // of a constant vector, or 0
	metric function.Metric // from the options or the container; "" until it is known
	eval   func(row) value.Value
}

// vectorDistance compiles a call of VectorDistance, or of the score in component queries. The
// metric comes from the options or, after [Plan.Resolve], from the container.
func (c *compiler) vectorDistance(e *cosmossql.Call, args []*code) (*code, error) {
	use := &vectorUse{at: e.Token}
	for i, arg := range args[:2] {
		switch {
		case arg.path != nil:
			if names, ok := arg.path.names(); ok && arg.path.slot == 0 {
				use.paths = append(use.paths, names)
			}
		case arg.constant:
			if arg.value.Kind() != value.Array || slices.ContainsFunc(arg.value.Items(), func(v value.Value) bool { return v.Kind() != value.Number }) {
				return nil, c.failure(e.Args[i].At(), cosmossql.CodeEvaluation, "VectorDistance takes vectors, which are arrays of numbers")
			}
			use.length = arg.value.Len()
		}
	}
	if len(args) > 2 && (!args[2].constant || args[2].value.Kind() != value.Bool) {
		return nil, c.failure(e.Args[2].At(), cosmossql.CodeEvaluation, "the third argument of VectorDistance is true for brute force, or false")
	}
	if len(args) > 3 {
		if err := c.vectorOptions(e.Args[3].At(), args[3], use); err != nil {
			return nil, err
		}
	}
	a, b, m, scores := args[0].result(), args[1].result(), c.meter, e.Function.Name == cosmossql.PlanVectorScore
	use.eval = func(r row) value.Value {
		x, y := a(r), b(r)
		if !m.Whole(x.Bytes() + y.Bytes()) {
			return value.Value{}
		}
		distance := use.metric.Of(x, y)
		if scores && distance.Kind() == value.Number && !use.metric.Descending() {
			return value.OfFloat(-distance.Float())
		}
		return distance
	}
	c.vectors = append(c.vectors, use)
	return &code{eval: use.eval}, nil
}

// vectorOptions reads the options of a call ("VECTORDISTANCE" in Microsoft's reference
// of the query language). Only the metric has an effect: there is no index to tune.
func (c *compiler) vectorOptions(at cosmossql.Token, options *code, use *vectorUse) error {
	if !options.constant || options.value.Kind() != value.Object {
		return c.failure(at, cosmossql.CodeEvaluation, "the options of VectorDistance are an object literal")
	}
	for name, v := range options.value.Properties() {
		var known bool
		switch name {
		case "distanceFunction":
			use.metric, known = function.MetricOf(v.Text())
		case "dataType":
			known = slices.Contains([]string{"float32", "float16", "int8", "uint8"}, strings.ToLower(v.Text()))
		case "searchListSizeMultiplier", "quantizedVectorListMultiplier", "filterPriority":
			known = v.Kind() == value.Number
		default:
			return c.failure(at, cosmossql.CodeEvaluation, "VectorDistance has no option %q", name)
		}
		if !known {
			return c.failure(at, cosmossql.CodeEvaluation, "the option %s of VectorDistance cannot be %s", name, v.JSON())
		}
	}
	return nil
}

// Policies describe the vectors and texts of a container.
type Policies struct {
	Vectors []Embedding
	// TextIndexes are the paths with a full-text index. If NeedTextIndex is set, a ranking
	// needs an index for each text.
	TextIndexes   [][]string
	NeedTextIndex bool
	Search        function.Search
}

// Resolve gives the plan the policies of the container for vectors and texts. It must be
// called before the first document. It refuses a call of VectorDistance whose metric neither
// its options nor the container define, a constant vector whose length differs from the
// container's, and a ranking by a text without the index that it needs.
func (p *Plan) Resolve(container Policies) error {
	fail := func(at cosmossql.Token, format string, args ...any) error {
		return cosmossql.NewError(p.query.Text, at.Start, at.End, cosmossql.CodeEvaluation, format, args...)
	}
	*p.search = container.Search
	for _, use := range p.texts {
		indexed := slices.ContainsFunc(container.TextIndexes, func(path []string) bool { return slices.Equal(path, use.path) })
		if container.NeedTextIndex && !indexed {
			return fail(use.at, "FullTextScore requires a full text index: the indexing policy of the container has none for /%s", strings.Join(use.path, "/"))
		}
	}
	for _, use := range p.vectors {
		for _, e := range container.Vectors {
			if !slices.ContainsFunc(use.paths, func(path []string) bool { return slices.Equal(path, e.Path) }) {
				continue
			}
			if use.length > 0 && use.length != e.Dimensions {
				return fail(use.at, "VectorDistance compares a vector of %d dimensions with the vectors at /%s, which have %d", use.length, strings.Join(e.Path, "/"), e.Dimensions)
			}
			if use.metric == "" {
				use.metric = e.Metric
			}
		}
		if use.metric == "" {
			return fail(use.at, "VectorDistance needs a distance function: the container has no vector embedding policy for the path, and the options have none")
		}
	}
	if p.nearest != nil {
		p.order[0].descending = p.nearest.metric.Descending()
	}
	return nil
}
