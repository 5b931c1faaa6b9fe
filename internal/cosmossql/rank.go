package cosmossql

// Ranking is ORDER BY RANK: the scores by which a query ranks documents. Clients combine them
// according to the query plan.
type Ranking struct {
	// Scores are calls of FullTextScore and VectorDistance: one, or several that RRF fuses.
	Scores []*Call
	// Weights are the weights of RRF, one per score, or nil. With a negative weight, the documents
	// with the lowest scores rank first.
	Weights []float64
	Token   // the word RANK
}

// String returns the text of the clause after ORDER BY. Parsing it returns the same ranking.
func (r *Ranking) String() string {
	var w formatter
	w.put("RANK ")
	if len(r.Scores) == 1 {
		w.expr(r.Scores[0])
		return w.String()
	}
	w.put(fusion, "(")
	for i, s := range r.Scores {
		if i > 0 {
			w.put(", ")
		}
		w.expr(s)
	}
	if r.Weights != nil {
		w.put(", [")
		for i, n := range r.Weights {
			if i > 0 {
				w.put(", ")
			}
			w.put(string(AppendNumber(nil, n)))
		}
		w.put("]")
	}
	w.put(")")
	return w.String()
}

// FullTextScore is the function by which ORDER BY RANK scores texts.
const FullTextScore = "FULLTEXTSCORE"

// fusion is the function that fuses several scores. Only ORDER BY RANK allows it.
const fusion = "RRF"

// Functions that the service uses in the rewritten queries of ORDER BY RANK. Clients fill in the
// statistics.
const (
	PlanTextScore   = "_FULLTEXTSCORE"
	PlanVectorScore = "_VECTORSCORE"
	PlanWordCount   = "_FULLTEXTWORDCOUNT"
)

// ranking parses the clause after RANK.
func (p *parser) ranking(rank Token) error {
	r := &Ranking{Token: rank}
	p.query.Rank = r
	if p.isName(fusion) {
		if err := p.fusion(r); err != nil {
			return err
		}
	} else {
		e, err := p.score()
		if err != nil {
			return err
		}
		call, ok := scoring(e)
		if !ok {
			return p.notScoring(e.At())
		}
		r.Scores = []*Call{call}
	}
	switch {
	case p.tok.Is("ASC") || p.tok.Is("DESC"):
		return p.fail(CodeOrderPath, "Specifying a sort order (ASC or DESC) in the ORDER BY RANK clause is not allowed.")
	case p.tok.Is(","):
		return p.fail(CodeOrderPath, "the ORDER BY RANK clause takes one scoring function; fuse several by RRF")
	}
	return nil
}

// score parses an expression that may be a call of FullTextScore.
func (p *parser) score() (Expr, error) {
	p.scoring = true
	e, err := p.expression()
	p.scoring = false
	return e, err
}

// fusion parses a call of RRF: scores and an optional array of weights.
func (p *parser) fusion(r *Ranking) error {
	at := p.tok
	if err := p.advance(); err != nil {
		return err
	}
	if err := p.expect("("); err != nil {
		return err
	}
	var weights *Array
	err := p.series(func() error {
		t := p.tok
		if weights != nil {
			return p.failAt(t, codeWeights, weightsRule)
		}
		e, err := p.score()
		if err != nil {
			return err
		}
		if array, ok := e.(*Array); ok {
			weights = array
			return nil
		}
		call, ok := scoring(e)
		if !ok {
			return p.notScoring(e.At())
		}
		r.Scores = append(r.Scores, call)
		return nil
	})
	if err != nil {
		return err
	}
	if len(r.Scores) < 2 {
		return p.notScoring(at)
	}
	if weights != nil {
		if r.Weights = numbers(weights.Items); len(r.Weights) != len(r.Scores) {
			return p.failAt(weights.At(), codeWeights, weightsRule)
		}
	}
	return p.expect(")")
}

// weightsRule is the service's message for wrong weights.
const weightsRule = "The last parameter of the RRF function is an optional array of weights. When present, it must be a literal array of numbers, " +
	"one for each of the component scores used for the RRF function. The length of this array must be the same as the number of the component scores."

// notScoring returns the service's error for an expression in ORDER BY RANK.
func (p *parser) notScoring(at Token) error {
	return p.failAt(at, codeScoring, "The ORDER BY RANK clause must be followed by a VectorDistance and/or a FullTextScore function call. RRF fuses two or more of them.")
}

// scoring returns e as a call of a function that scores documents.
func scoring(e Expr) (*Call, bool) {
	call, ok := e.(*Call)
	return call, ok && (call.Function.Name == FullTextScore || call.Function.Name == VectorDistance)
}

// numbers returns the values of number literals, or nil if an item is not one.
func numbers(items []Expr) []float64 {
	list := make([]float64, 0, len(items))
	for _, e := range items {
		sign := 1.0
		if u, ok := e.(*Unary); ok && (u.Word == "-" || u.Word == "+") {
			if e = u.Operand; u.Word == "-" {
				sign = -1
			}
		}
		l, ok := e.(*Literal)
		if !ok || l.Kind != KindNumber {
			return nil
		}
		list = append(list, sign*l.Number)
	}
	return list
}

// checkRanking checks the rules of ORDER BY RANK. Messages with capital letters are the service's.
func (p *parser) checkRanking() error {
	r, main := p.query.Rank, p.query.Main
	if r == nil {
		return nil
	}
	switch {
	case main.Distinct:
		return p.failAt(r.Token, CodeUnsupported, "The DISTINCT keyword is not allowed with the ORDER BY RANK clause.")
	case main.Grouped():
		return p.failAt(r.Token, CodeUnsupported, "aggregates and GROUP BY are not allowed with the ORDER BY RANK clause")
	case len(main.Sources) == 0:
		return p.failAt(r.Token, CodeUnsupported, "the ORDER BY RANK clause needs a FROM clause")
	case len(main.Sources) > 1:
		return p.failAt(main.Sources[1].Token, codeRankJoin, "The JOIN operator is not allowed with the ORDER BY RANK clause.")
	case main.Sources[0].Iterate:
		return p.failAt(main.Sources[0].Token, codeRankIn, "The FROM clause with the IN operator is not allowed with the ORDER BY RANK clause.")
	case main.Sources[0].Query != nil:
		return p.failAt(main.Sources[0].Token, codeRankFrom, "Subqueries in the FROM clause are not allowed with the ORDER BY RANK clause.")
	}
	for _, n := range []*Count{p.query.Top, p.query.Offset, p.query.Limit} {
		if n != nil && n.Parameter {
			return p.failAt(n.Token, CodeCount, "Invalid %s spec for Hybrid Search query. Expected a number literal in order to distribute query correctly.", n.Clause)
		}
	}
	for _, s := range r.Scores {
		check := p.checkScore
		if s.Function.Name == FullTextScore {
			check = p.checkTextScore
		}
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

// checkTextScore checks the arguments of FullTextScore: a path in documents, and words.
func (p *parser) checkTextScore(s *Call) error {
	path, ok := s.Args[0].(*Access)
	if ok {
		_, ok = path.Base.(*Alias)
	}
	if !ok {
		return p.failAt(s.Args[0].At(), CodeUnsupported, "the first argument of FullTextScore is a property path such as c.text")
	}
	for _, word := range s.Args[1:] {
		switch word := word.(type) {
		case *Parameter:
		case *Object:
			return p.failAt(word.At(), CodeUnsupported, "fuzzy search in FullTextScore is not supported; the arguments after the first are words as strings or parameters")
		case *Literal:
			if word.Kind != KindString {
				return p.failAt(word.At(), CodeUnsupported, "the arguments of FullTextScore after the first are words as strings or parameters")
			}
		default:
			return p.failAt(word.At(), CodeUnsupported, "the arguments of FullTextScore after the first are words as strings or parameters")
		}
	}
	return nil
}
