package cosmossql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxQueryBytes is the longest query text that the service accepts, 512 KB by
// Microsoft's page "Azure Cosmos DB service quotas".
const MaxQueryBytes = 512 << 10

// maxDepth limits how deep expressions nest: parentheses, function arguments,
// unary operators and chains of one operator other than AND and OR.
const maxDepth = 256

// Parse reads a query. Errors are of type *Error. The cost is linear in the
// length of text.
func Parse(text string) (*Query, error) {
	if len(text) > MaxQueryBytes {
		return nil, newError(text, 0, 0, codeSyntax, "the query has %d bytes, at most %d are allowed; pass long lists as parameters",
			len(text), MaxQueryBytes)
	}
	if !utf8.ValidString(text) {
		return nil, newError("", 0, 0, codeSyntax, "the query is not valid UTF-8")
	}
	p := &parser{lexer: lexer{text: text}, query: &Query{text: text}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.query, nil
}

// parser is a recursive-descent parser with one token of lookahead.
type parser struct {
	lexer lexer
	tok   token // the token not yet consumed
	query *Query

	depth       int          // of nested expressions
	clause      string       // the clause being read, for errors about aggregates
	inAggregate bool         // within the argument of an aggregate
	alias       string       // the name that FROM gives to a document
	aliases     []*aliasExpr // every identifier that must be that name
	selected    int          // how many of them belong to SELECT
}

func (p *parser) parse() error {
	steps := []func() error{
		p.advance, p.selectClause, p.fromClause, p.whereClause, p.orderClause, p.offsetClause, p.end,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// advance reads the next token into p.tok.
func (p *parser) advance() (err error) {
	p.tok, err = p.lexer.next()
	return err
}

// accept consumes the token if it is the keyword or symbol word.
func (p *parser) accept(word string) (bool, error) {
	if !p.tok.is(word) {
		return false, nil
	}
	return true, p.advance()
}

// expect consumes the keyword or symbol word, or fails.
func (p *parser) expect(word string) error {
	if !p.tok.is(word) {
		return p.unexpected(word)
	}
	return p.advance()
}

func (p *parser) selectClause() error {
	p.clause = "SELECT"
	if err := p.expect("SELECT"); err != nil {
		return err
	}
	if p.tok.is("DISTINCT") {
		return p.unsupported("DISTINCT")
	}
	if ok, err := p.accept("TOP"); err != nil {
		return err
	} else if ok {
		if p.query.top, err = p.count("TOP"); err != nil {
			return err
		}
	}
	star, err := p.accept("*")
	if star || err != nil {
		return err
	}
	value, err := p.accept("VALUE")
	if err != nil {
		return err
	}
	if value {
		e, err := p.expression()
		p.query.selection = selection{kind: selectValue, items: []selectItem{{expr: e}}}
		return err
	}
	return p.selectList()
}

func (p *parser) selectList() error {
	p.query.selection.kind = selectList
	names := map[string]bool{}
	unnamed := 0
	for {
		e, err := p.expression()
		if err != nil {
			return err
		}
		at := e.at()
		name, ok := propertyName(e)
		if as, err := p.accept("AS"); err != nil {
			return err
		} else if as {
			at = p.tok
			if name, err = p.identifier("a name after AS"); err != nil {
				return err
			}
		} else if !ok {
			unnamed++
			name = "$" + strconv.Itoa(unnamed)
		}
		if names[name] {
			return p.failAt(at, codeUnread, "two projections are called %q; give one of them another name with AS", name)
		}
		names[name] = true
		p.query.selection.items = append(p.query.selection.items, selectItem{e, name})
		if more, err := p.accept(","); err != nil || !more {
			return err
		}
	}
}

// propertyName gives the property under which the service projects e without AS:
// the last name of a path. What has none gets $1, $2, and so on.
func propertyName(e expr) (string, bool) {
	switch e := unparen(e).(type) {
	case *aliasExpr:
		return e.token.word, true
	case *accessExpr:
		last := e.steps[len(e.steps)-1]
		return last.name, last.index == nil
	default:
		return "", false
	}
}

func (p *parser) fromClause() error {
	p.selected = len(p.aliases)
	if p.tok.kind == tokenEnd {
		return p.fail(codeUnread, "FROM is missing; queries without it are not supported")
	}
	if err := p.expect("FROM"); err != nil {
		return err
	}
	if p.tok.is("(") {
		return p.unsupported("a subquery in FROM")
	}
	alias, err := p.identifier("a container name after FROM")
	if err != nil {
		return err
	}
	switch {
	case p.tok.is(".") || p.tok.is("["):
		return p.unsupported("a path in FROM")
	case p.tok.is("IN"):
		return p.unsupported("iterating over an array with IN")
	}
	as, err := p.accept("AS")
	if err != nil {
		return err
	}
	if as || p.tok.kind == tokenIdentifier {
		if alias, err = p.identifier("an alias after AS"); err != nil {
			return err
		}
	}
	switch {
	case p.tok.is("IN"):
		return p.unsupported("iterating over an array with IN")
	case p.tok.is("JOIN"):
		return p.unsupported("JOIN")
	}
	p.alias = alias
	return nil
}

func (p *parser) whereClause() error {
	p.clause = "WHERE"
	where, err := p.accept("WHERE")
	if err != nil || !where {
		return err
	}
	p.query.where, err = p.expression()
	return err
}

func (p *parser) orderClause() error {
	if p.tok.is("GROUP") {
		return p.unsupported("GROUP BY")
	}
	p.clause = "ORDER BY"
	order, err := p.accept("ORDER")
	if err != nil || !order {
		return err
	}
	if err := p.expect("BY"); err != nil {
		return err
	}
	for {
		item, err := p.orderItem()
		if err != nil {
			return err
		}
		p.query.order = append(p.query.order, item)
		if more, err := p.accept(","); err != nil || !more {
			return err
		}
	}
}

func (p *parser) orderItem() (orderItem, error) {
	e, err := p.expression()
	if err != nil {
		return orderItem{}, err
	}
	path, ok := unparen(e).(*accessExpr)
	if ok {
		_, ok = path.base.(*aliasExpr)
	}
	if !ok {
		return orderItem{}, p.failAt(e.at(), codeUnread, "ORDER BY takes property paths such as c.name, not other expressions")
	}
	descending, err := p.accept("DESC")
	if err == nil && !descending {
		_, err = p.accept("ASC")
	}
	return orderItem{path, descending}, err
}

func (p *parser) offsetClause() error {
	at := p.tok
	offset, err := p.accept("OFFSET")
	if err != nil || !offset {
		return err
	}
	if p.query.top != nil {
		return p.failAt(at, codeUnread, "TOP and OFFSET LIMIT in one query are not supported; use LIMIT alone")
	}
	if p.query.offset, err = p.count("OFFSET"); err != nil {
		return err
	}
	if err := p.expect("LIMIT"); err != nil {
		return err
	}
	p.query.limit, err = p.count("LIMIT")
	return err
}

// count reads the number or parameter behind TOP, OFFSET or LIMIT.
func (p *parser) count(clause string) (*count, error) {
	c := &count{clause: clause, at: p.tok}
	switch p.tok.kind {
	case tokenNumber:
		if _, ok := countOf(numberValue(p.tok.num)); !ok {
			return nil, p.fail(codeCount, "%s takes a whole number from 0 to %d", clause, maxCount)
		}
	case tokenParameter:
	default:
		return nil, p.unexpected("a number or a parameter after " + clause)
	}
	return c, p.advance()
}

// end checks that nothing is left, and what could not be checked before: that
// identifiers name the container, and that aggregates stand alone.
func (p *parser) end() error {
	if p.tok.kind != tokenEnd {
		return p.unexpected("the end of the query")
	}
	for i, a := range p.aliases {
		if a.token.word != p.alias {
			return p.unresolved(a.token)
		}
		if len(p.query.aggregates) > 0 && i < p.selected && !a.inAggregate {
			return p.failAt(a.token, codeUnread,
				"%q stands beside an aggregate; without GROUP BY every projection must be made of aggregates", a.token.word)
		}
	}
	return nil
}

// unresolved makes the error for an identifier that is not the alias of FROM.
func (p *parser) unresolved(t token) error {
	if lower := strings.ToLower(t.word); reservedExactly[lower] {
		return p.failAt(t, codeIdentifier, "identifier %q could not be resolved; the constant is written %s", t.word, lower)
	}
	return p.failAt(t, codeIdentifier, "identifier %q could not be resolved; properties are written %s.%s", t.word, p.alias, t.word)
}

// identifier consumes a name that is no reserved word.
func (p *parser) identifier(wanted string) (string, error) {
	if p.tok.kind == tokenKeyword {
		word := p.lexer.text[p.tok.start:p.tok.end]
		return "", p.fail(codeSyntax, "incorrect syntax near %q: expected %s, and %s is a reserved word; choose another name, or write a property as c[%q]",
			word, wanted, word, word)
	}
	if p.tok.kind != tokenIdentifier {
		return "", p.unexpected(wanted)
	}
	name := p.tok.word
	return name, p.advance()
}

// fail makes an error about the current token.
func (p *parser) fail(code, format string, args ...any) error {
	return p.failAt(p.tok, code, format, args...)
}

// failAt makes an error about a token.
func (p *parser) failAt(t token, code, format string, args ...any) error {
	return newError(p.lexer.text, t.start, t.end, code, format, args...)
}

// unexpected makes the error for a token that is not what had to follow.
func (p *parser) unexpected(wanted string) error {
	if p.tok.kind == tokenEnd {
		return p.fail(codeSyntax, "the query ends where %s was expected", wanted)
	}
	return p.fail(codeSyntax, "incorrect syntax near %q: expected %s", p.lexer.text[p.tok.start:p.tok.end], wanted)
}

// unsupported makes the error for a construct that is known but not evaluated.
func (p *parser) unsupported(what string) error {
	return p.fail(codeUnread, "%s is not supported", what)
}
