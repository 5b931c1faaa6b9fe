package cosmossql

import "strings"

// maxJoins is how many JOINs a query may have, by Microsoft's page "Azure Cosmos DB
// service quotas".
const maxJoins = 10

func (p *parser) fromClause() error {
	p.node.clause = "FROM"
	from, err := p.accept("FROM")
	if err != nil || !from {
		return err
	}
	for {
		if err := p.source(); err != nil {
			return err
		}
		at := p.tok
		join, err := p.accept("JOIN")
		if err != nil || !join {
			return err
		}
		if p.joins++; p.joins > maxJoins {
			return p.failAt(at, codeUnread, "a query may hold at most %d JOINs; use EXISTS or ARRAY subqueries", maxJoins)
		}
	}
}

// source reads one part of FROM: a collection with an optional name, or name IN
// collection.
func (p *parser) source() error {
	if p.tok.is("(") {
		s, err := p.fromSubquery(p.tok)
		if err != nil {
			return err
		}
		return p.named(s, "")
	}
	t := p.tok
	name, err := p.identifier("a container, a name or a subquery")
	if err != nil {
		return err
	}
	in, err := p.accept("IN")
	if err != nil {
		return err
	}
	if !in {
		s, last, err := p.path(t)
		if err != nil {
			return err
		}
		return p.named(s, last)
	}
	var s *source
	if p.tok.is("(") {
		s, err = p.fromSubquery(t)
	} else {
		start := p.tok
		if _, err = p.identifier("a path such as c.tags, or a subquery in parentheses, after IN"); err != nil {
			return err
		}
		s, _, err = p.path(start)
	}
	if err != nil {
		return err
	}
	s.iterate, s.token = true, t
	return p.declare(s, t, name)
}

// fromSubquery reads a subquery as a source.
func (p *parser) fromSubquery(t token) (*source, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	query, err := p.subquery(&selectNode{visible: len(p.node.sources), container: p.overContainer()})
	return &source{token: t, query: query}, err
}

// overContainer reports whether the next source is the first one of a select over
// the container. A name then means the container, since FROM has declared nothing
// yet.
func (p *parser) overContainer() bool {
	return p.node.container && len(p.node.sources) == 0
}

// path reads the properties and positions after the name that a collection begins
// with. last is the name of the source, unless an alias follows.
func (p *parser) path(t token) (s *source, last string, err error) {
	s = &source{token: t}
	if !p.overContainer() {
		s.base = &aliasExpr{token: t}
		p.node.names = append(p.node.names, reference{s.base, len(p.node.sources)})
	}
	last = t.word
	for {
		switch {
		case p.tok.is("."):
			if err := p.advance(); err != nil {
				return nil, "", err
			}
			if last, err = p.identifier("a property name"); err != nil {
				return nil, "", err
			}
			s.steps = append(s.steps, pathStep{last, -1})
		case p.tok.is("["):
			step, err := p.fixedIndex()
			if err != nil {
				return nil, "", err
			}
			s.steps, last = append(s.steps, step), step.name
		case p.tok.is("("):
			return nil, "", p.failAt(t, codeUnread, "FROM takes no functions; write (SELECT VALUE %s(…))", t.word)
		default:
			return s, last, nil
		}
		if len(s.steps) > maxDepth {
			return nil, "", p.failAt(t, codeSyntax, "the path is longer than %d steps", maxDepth)
		}
	}
}

// fixedIndex reads ["name"] or [position]. The service refuses everything else
// in FROM, parameters too (Azure/azure-cosmos-dotnet-v3#4107).
func (p *parser) fixedIndex() (pathStep, error) {
	if err := p.advance(); err != nil {
		return pathStep{}, err
	}
	step := pathStep{p.tok.word, -1}
	if p.tok.kind == tokenNumber {
		position, ok := numberValue(p.tok.num).position()
		if !ok {
			return pathStep{}, p.unexpected("a position in an array")
		}
		step = pathStep{"", position}
	} else if p.tok.kind != tokenString {
		return pathStep{}, p.unexpected("a property name in quotes, or a position")
	}
	if err := p.advance(); err != nil {
		return pathStep{}, err
	}
	return step, p.expect("]")
}

// named reads the optional name of a source and declares it, by default under
// the last name of its path.
func (p *parser) named(s *source, last string) error {
	t := s.token
	alias, ok, err := p.alias()
	if err != nil {
		return err
	}
	if ok {
		t, last = alias, alias.word
	}
	return p.declare(s, t, last)
}

// declare adds a source to the select, under a name if it has one.
func (p *parser) declare(s *source, t token, name string) error {
	for _, other := range p.node.sources {
		if name != "" && other.binding != nil && other.binding.name == name {
			return p.failAt(t, codeAlias, "the alias %q is specified more than once in FROM", name)
		}
	}
	plain := p.overContainer() && s.query == nil && len(s.steps) == 0 && !s.iterate
	s.binding = &binding{name: name, owner: p.node, from: s}
	if !plain {
		p.query.slots++
		s.binding.slot = p.query.slots
	}
	p.node.sources = append(p.node.sources, s)
	return nil
}

// resolve binds the names in a select to its own sources, else to a source of the
// selects around it.
func (p *parser) resolve() error {
	node := p.node
	for _, r := range node.names {
		sources := node.sources
		if r.visible >= 0 {
			sources = sources[:r.visible]
		}
		if r.alias.binding = find(sources, r.alias.token.word); r.alias.binding != nil {
			continue
		}
		if node.parent == nil {
			return p.unresolved(r.alias.token)
		}
		node.parent.names = append(node.parent.names, reference{r.alias, node.visible})
	}
	node.names = nil
	return nil
}

func find(sources []*source, name string) *binding {
	for _, s := range sources {
		if s.binding.name == name {
			return s.binding
		}
	}
	return nil
}

// unresolved makes the error for an identifier that FROM does not declare.
func (p *parser) unresolved(t token) error {
	lower := strings.ToLower(t.word)
	switch {
	case reservedExactly[lower]:
		return p.failAt(t, codeIdentifier, "identifier %q could not be resolved; the constant is written %s", t.word, lower)
	case len(p.node.sources) > 0 && p.node.sources[0].binding.name != "":
		return p.failAt(t, codeIdentifier, "identifier %q could not be resolved; properties are written %s.%s",
			t.word, p.node.sources[0].binding.name, t.word)
	default:
		return p.failAt(t, codeIdentifier, "identifier %q could not be resolved; declare it in FROM", t.word)
	}
}
