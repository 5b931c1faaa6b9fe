package cosmossql

import (
	"strings"
	"unicode/utf8"
)

// MaxQueryBytes is the maximum length of a query, 512 KB by Microsoft's page "Azure Cosmos DB
// service quotas".
const MaxQueryBytes = 512 << 10

// maxDepth limits the nesting of expressions and subqueries: parentheses, function arguments, unary
// operators, and chains of one operator other than AND and OR.
const maxDepth = 256

// Parse parses a query. Errors are of type *Error. The cost is linear in the length of text.
func Parse(text string) (*Query, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.query, nil
}

func newParser(text string) (*parser, error) {
	if len(text) > MaxQueryBytes {
		return nil, NewError(text, 0, 0, codeSyntax, "the query has %d bytes, at most %d are allowed; pass long lists as parameters",
			len(text), MaxQueryBytes)
	}
	if !utf8.ValidString(text) {
		return nil, NewError("", 0, 0, codeSyntax, "the query is not valid UTF-8")
	}
	return &parser{lexer: lexer{text: text}, query: &Query{Text: text}, noun: "query"}, nil
}

// parser is a recursive-descent parser with one token of lookahead.
type parser struct {
	lexer lexer
	tok   Token // the token not yet consumed
	query *Query
	noun  string // the noun for the text in errors: "query"

	depth     int     // of nested expressions
	joins     int     // so far
	node      *Select // the select being read
	aggregate *Aggregate
	scoring   bool // whether the next call may be one of FullTextScore
}

func (p *parser) parse() error {
	if err := p.advance(); err != nil {
		return err
	}
	main, err := p.selectQuery(&Select{visible: -1, container: true})
	if err != nil {
		return err
	}
	p.query.Main = main
	if err := p.checkRanking(); err != nil {
		return err
	}
	return p.checkOrder()
}

// endOfSelect checks that a select is complete and that nothing follows.
func (p *parser) endOfSelect() error {
	switch {
	case p.node.parent != nil && !p.tok.Is(")"):
		return p.unexpected("the end of the subquery and )")
	case p.node.parent == nil && p.tok.kind != tokenEnd:
		return p.unexpected("the end of the query")
	default:
		return nil
	}
}

// selectQuery parses a query or subquery into node.
func (p *parser) selectQuery(node *Select) (*Select, error) {
	outer, aggregate := p.node, p.aggregate
	p.node, p.aggregate = node, nil
	node.parent = outer
	for _, step := range []func() error{
		p.selectClause, p.fromClause, p.whereClause, p.groupClause, p.orderClause, p.offsetClause, p.endOfSelect, p.resolve, p.checkSelect,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	p.node, p.aggregate = outer, aggregate
	return node, nil
}

// subquery parses a subquery and its closing parenthesis, after the opening one.
func (p *parser) subquery(node *Select) (*Select, error) {
	if err := p.nest(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if !p.tok.Is("SELECT") {
		return nil, p.unexpected("SELECT")
	}
	if _, err := p.selectQuery(node); err != nil {
		return nil, err
	}
	return node, p.advance() // past the parenthesis
}

// advance reads the next token into p.tok.
func (p *parser) advance() (err error) {
	p.tok, err = p.lexer.next()
	return err
}

// accept consumes the token if it is a given keyword or symbol.
func (p *parser) accept(word string) (bool, error) {
	if !p.tok.Is(word) {
		return false, nil
	}
	return true, p.advance()
}

// expect consumes a given keyword or symbol, or fails.
func (p *parser) expect(word string) error {
	if !p.tok.Is(word) {
		return p.unexpected(word)
	}
	return p.advance()
}

// identifier consumes a name that is not a reserved word.
func (p *parser) identifier(wanted string) (string, error) {
	if p.tok.kind == tokenKeyword {
		word, quote := p.text(p.tok), `"`
		if p.noun == expressionNoun {
			quote = "'" // double quotes would end the tag
		}
		return "", p.fail(codeSyntax, "incorrect syntax near %q: expected %s, and %s is a reserved word; choose another name, or write a property as c[%s%s%s]",
			word, wanted, word, quote, word, quote)
	}
	if p.tok.kind != tokenIdentifier {
		return "", p.unexpected(wanted)
	}
	name := p.tok.Word
	return name, p.advance()
}

// text returns a token as the query spells it.
func (p *parser) text(t Token) string { return p.lexer.text[t.Start:t.End] }

// isName reports whether the token is an identifier. If name is not empty, the identifier must have
// that name.
func (p *parser) isName(name string) bool {
	return p.tok.kind == tokenIdentifier && (name == "" || strings.EqualFold(p.tok.Word, name))
}

// fail returns an error about the current token.
func (p *parser) fail(code, format string, args ...any) error {
	return p.failAt(p.tok, code, format, args...)
}

// failAt returns an error about a token.
func (p *parser) failAt(t Token, code, format string, args ...any) error {
	return NewError(p.lexer.text, t.Start, t.End, code, format, args...)
}

// unexpected returns the error for a token that is not the wanted one.
func (p *parser) unexpected(wanted string) error {
	if p.tok.kind == tokenEnd {
		return p.fail(codeSyntax, "the %s ends where %s was expected", p.noun, wanted)
	}
	return p.fail(codeSyntax, "incorrect syntax near %q: expected %s", p.text(p.tok), wanted)
}

// unsupported returns the error for a known construct that is not evaluated.
func (p *parser) unsupported(what string) error {
	return p.fail(CodeUnsupported, "%s is not supported", what)
}
