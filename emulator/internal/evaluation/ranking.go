package evaluation

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// textUse is a call of FullTextScore.
type textUse struct {
	at   cosmossql.Token
	path []string
}

// ranking checks ORDER BY RANK with the values of parameters. It compiles no order: the client
// follows the plan of the query.
func (c *compiler) ranking() error {
	if c.query.Rank == nil {
		return nil
	}
	for _, s := range c.query.Rank.Scores {
		args, err := c.all(s.Args)
		if err != nil {
			return err
		}
		if s.Function.Name == cosmossql.VectorDistance {
			if _, err := c.vectorDistance(s, args); err != nil {
				return err
			}
			continue
		}
		path := args[0].path
		if path == nil {
			return c.failure(s.Args[0].At(), cosmossql.CodeUnsupported, "the first argument of FullTextScore is a property path such as c.text")
		}
		names, ok := path.names()
		if !ok || path.slot != 0 {
			return c.failure(s.Args[0].At(), cosmossql.CodeUnsupported, "the first argument of FullTextScore is a property path without elements of arrays")
		}
		for i, arg := range args[1:] {
			if _, err := c.term(s.Args[i+1], arg.value); err != nil {
				return err
			}
		}
		c.texts = append(c.texts, textUse{s.Token, names})
	}
	return nil
}

// score compiles ORDER BY a score. A document without a comparable vector is left out. A
// document without a text comes last. The tests of the .NET SDK show that the service returns
// it (CosmosUndefinedQueryTests). That it is last in an ascending component is an assumption.
func (c *compiler) score(p *Plan) error {
	if len(c.query.Order) == 0 || c.query.Order[0].Score() == nil {
		return nil
	}
	item := c.query.Order[0]
	name := item.Score().Function.Name
	if p.WholeSet() {
		return c.failure(item.Path.At(), cosmossql.CodeUnsupported, "ORDER BY %s cannot be combined with aggregates, GROUP BY or DISTINCT", item.Score().Word)
	}
	code, err := c.compile(item.Path)
	if err != nil {
		return err
	}
	p.scored, p.component = true, name != cosmossql.VectorDistance
	if !p.component {
		p.nearest = c.vectors[len(c.vectors)-1]
	}
	eval, test := code.eval, p.main.test
	key := orderKey{eval: eval, descending: item.Descending}
	if name == cosmossql.PlanTextScore && !item.Descending {
		key.eval = func(r row) value.Value {
			if score := eval(r); score.Kind() != value.Undefined {
				return score
			}
			return value.OfFloat(math.MaxFloat64)
		}
	}
	p.order = append(p.order, key)
	p.main.test = func(r row) value.Truth {
		if test != nil {
			if truth := test(r); truth != value.True {
				return truth
			}
		}
		score := eval(r)
		return value.TruthOf(score.Kind() != value.Undefined || name == cosmossql.PlanTextScore)
	}
	return nil
}

// Component reports whether the query is a component of a ranking: it returns the best
// documents by a score, and the service sends them in one page.
func (p *Plan) Component() bool { return p.component }

// Statistics reports whether the query collects the statistics of a ranking. Clients read one
// row of it from each physical partition.
func (p *Plan) Statistics() bool { return p.statistics }

// term reads a word of a search.
func (c *compiler) term(e cosmossql.Expr, v value.Value) (string, error) {
	if v.Kind() != value.String {
		return "", c.failure(e.At(), cosmossql.CodeEvaluation, "a word of full-text search is a string, not %s", v.Kind())
	}
	word, err := function.Term(v.Text())
	if err != nil {
		return "", c.failure(e.At(), cosmossql.CodeEvaluation, "full-text search takes words: %v", err)
	}
	return word, nil
}

// textScore compiles a call with which a component of a ranking scores texts:
// _FullTextScore(text, [words], documents, all words, [documents with each of the words]).
func (c *compiler) textScore(e *cosmossql.Call, args []*code) (*code, error) {
	for i, want := range []cosmossql.Kind{value.Array, value.Number, value.Number, value.Array} {
		if arg := args[1+i]; !arg.constant || arg.value.Kind() != want {
			return nil, c.failure(e.Args[1+i].At(), cosmossql.CodeEvaluation, "argument %d of %s is a constant %s", 2+i, e.Word, want)
		}
	}
	var words []string
	for _, v := range args[1].value.Items() {
		word, err := c.term(e.Args[1], v)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	var hits []float64
	for _, v := range args[4].value.Items() {
		if v.Kind() == value.Number {
			hits = append(hits, v.Float())
		}
	}
	if len(hits) != len(words) || len(hits) != args[4].value.Len() {
		return nil, c.failure(e.Args[4].At(), cosmossql.CodeEvaluation, "argument 5 of %s has a number for each word", e.Word)
	}
	relevance := function.NewRelevance(words, args[2].value.Float(), args[3].value.Float(), hits)
	c.framed = true
	text, search, m := args[0].result(), c.search, c.meter
	failed := c.failure(e.Token, cosmossql.CodeEvaluation, "")
	return &code{eval: func(r row) value.Value {
		v := text(r)
		if v.Kind() != value.String || !m.Whole(v.Bytes()*max(1, len(words))) {
			return value.Value{}
		}
		score, err := relevance.Of(*search, v.Text())
		if err != nil {
			failure := *failed
			failure.Message = "FullTextScore: " + err.Error()
			return r.frame.fail(&failure)
		}
		return value.OfFloat(score)
	}}, nil
}
