package cosmossql

import (
	"strings"
)

// maxJoins is the maximum number of JOINs of a query, by Microsoft's page "Azure Cosmos DB service
// quotas".
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
			return p.failAt(at, CodeUnsupported, "a query may hold at most %d JOINs; use EXISTS or ARRAY subqueries", maxJoins)
		}
	}
}

// source parses one part of FROM: a collection with an optional name, or name IN collection.
func (p *parser) source() error {
	if p.tok.Is("(") {
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
	var s *Source
	if p.tok.Is("(") {
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
	s.Iterate, s.Token = true, t
	return p.declare(s, t, name)
}

// fromSubquery parses a subquery as a source.
func (p *parser) fromSubquery(t Token) (*Source, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	query, err := p.subquery(&Select{visible: len(p.node.Sources), container: p.overContainer()})
	return &Source{Token: t, Query: query}, err
}

// overContainer reports whether the next source is the first of a select over the container. A name
// then denotes the container, because FROM has not declared any.
func (p *parser) overContainer() bool {
	return p.node.container && len(p.node.Sources) == 0
}

// path parses the properties and positions after the first name of a collection. last is the name
// of the source, unless an alias follows.
func (p *parser) path(t Token) (s *Source, last string, err error) {
	s = &Source{Token: t}
	if !p.overContainer() {
		s.Base = &Alias{Token: t}
		p.node.names = append(p.node.names, reference{s.Base, len(p.node.Sources)})
	}
	last = t.Word
	for {
		switch {
		case p.tok.Is("."):
			if err := p.advance(); err != nil {
				return nil, "", err
			}
			if last, err = p.identifier("a property name"); err != nil {
				return nil, "", err
			}
			s.Steps = append(s.Steps, PathStep{last, -1})
		case p.tok.Is("["):
			step, err := p.fixedIndex()
			if err != nil {
				return nil, "", err
			}
			s.Steps, last = append(s.Steps, step), step.Name
		case p.tok.Is("("):
			return nil, "", p.failAt(t, CodeUnsupported, "FROM takes no functions; write (SELECT VALUE %s(…))", t.Word)
		default:
			return s, last, nil
		}
		if len(s.Steps) > maxDepth {
			return nil, "", p.failAt(t, codeSyntax, "the path is longer than %d steps", maxDepth)
		}
	}
}

// fixedIndex parses ["name"] or [position]. In FROM the service refuses anything else, including
// parameters (Azure/azure-cosmos-dotnet-v3#4107).
func (p *parser) fixedIndex() (PathStep, error) {
	if err := p.advance(); err != nil {
		return PathStep{}, err
	}
	step := PathStep{p.tok.Word, -1}
	if p.tok.kind == tokenNumber {
		position, ok := Position(p.tok.num)
		if !ok {
			return PathStep{}, p.unexpected("a position in an array")
		}
		step = PathStep{"", position}
	} else if p.tok.kind != tokenString {
		return PathStep{}, p.unexpected("a property name in quotes, or a position")
	}
	if err := p.advance(); err != nil {
		return PathStep{}, err
	}
	return step, p.expect("]")
}

// named parses the optional name of a source and declares it, by default under the last name of its
// path.
func (p *parser) named(s *Source, last string) error {
	t := s.Token
	alias, ok, err := p.alias()
	if err != nil {
		return err
	}
	if ok {
		t, last = alias, alias.Word
	}
	return p.declare(s, t, last)
}

// declare adds a source to the select, and its name if it has one.
func (p *parser) declare(s *Source, t Token, name string) error {
	for _, other := range p.node.Sources {
		if name != "" && other.Binding != nil && other.Binding.name == name {
			return p.failAt(t, codeAlias, "the alias %q is specified more than once in FROM", name)
		}
	}
	plain := p.overContainer() && s.Query == nil && len(s.Steps) == 0 && !s.Iterate
	s.Binding = &Binding{name: name, owner: p.node, from: s}
	if !plain {
		p.query.Slots++
		s.Binding.Slot = p.query.Slots
	}
	p.node.Sources = append(p.node.Sources, s)
	return nil
}

// resolve binds the names in a select to its own sources, or to sources of the enclosing selects.
func (p *parser) resolve() error {
	node := p.node
	for _, r := range node.names {
		sources := node.Sources
		if r.visible >= 0 {
			sources = sources[:r.visible]
		}
		if r.alias.Binding = find(sources, r.alias.Word); r.alias.Binding != nil {
			continue
		}
		if node.parent == nil {
			return p.unresolved(r.alias.Token)
		}
		node.parent.names = append(node.parent.names, reference{r.alias, node.visible})
	}
	node.names = nil
	return nil
}

func find(sources []*Source, name string) *Binding {
	for _, s := range sources {
		if s.Binding.name == name {
			return s.Binding
		}
	}
	return nil
}

// unresolved returns the error for an identifier that FROM does not declare.
func (p *parser) unresolved(t Token) error {
	lower := strings.ToLower(t.Word)
	word, constant := Keyword(lower)
	switch {
	case constant && word == lower: // other words are reserved in any case
		return p.failAt(t, CodeIdentifier, "identifier %q could not be resolved; the constant is written %s", t.Word, lower)
	case len(p.node.Sources) > 0 && p.node.Sources[0].Binding.name != "":
		return p.failAt(t, CodeIdentifier, "identifier %q could not be resolved; properties are written %s.%s",
			t.Word, p.node.Sources[0].Binding.name, t.Word)
	default:
		return p.failAt(t, CodeIdentifier, "identifier %q could not be resolved; declare it in FROM", t.Word)
	}
}
