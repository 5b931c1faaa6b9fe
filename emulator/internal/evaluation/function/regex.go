package function

import (
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// maxPattern is how many bytes a regular expression may have, so that the time of a
// match is bounded. It is our own limit.
const maxPattern = 10_000

// regexMatch makes the test of REGEXMATCH from a pattern and optional modifiers. The service
// accepts Perl's regular expressions (Microsoft's page "REGEXMATCH"). Go has neither back
// references nor lookaround assertions, so patterns with these are refused.
func regexMatch(m *work.Meter, constants []string) (func(text string) bool, error) {
	modifiers := ""
	if len(constants) == 2 {
		modifiers = constants[1]
	}
	pattern, err := compileRegex(constants[0], modifiers)
	if err != nil {
		return nil, err
	}
	size, err := programSize(pattern.String())
	if err != nil {
		return nil, err
	}
	return func(text string) bool {
		if len(text)*size < shortMatch {
			m.Spend(len(text)*size/8 + 1)
			return pattern.MatchString(text)
		}
		return pattern.MatchReader(&meteredText{text: text, cost: size, meter: m})
	}, nil
}

// shortMatch bounds the product of the lengths of a text and of a program. Up to it, a match
// takes a few milliseconds at most, and need not be interrupted.
const shortMatch = 1 << 18

// programSize is the number of instructions that a match may run for each character.
func programSize(pattern string) (int, error) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

// meteredText is a text that ends when the meter ends the work.
type meteredText struct {
	text  string
	cost  int // of a character, in steps
	meter *work.Meter
}

// ReadRune implements [io.RuneReader].
func (t *meteredText) ReadRune() (rune, int, error) {
	if t.text == "" || !t.meter.Spend(t.cost) {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRuneInString(t.text)
	t.text = t.text[size:]
	return r, size, nil
}

func compileRegex(pattern, modifiers string) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes, at most %d are allowed", len(pattern), maxPattern)
	}
	var flags strings.Builder
	for _, m := range modifiers {
		switch m {
		case 'm', 's', 'i':
			flags.WriteRune(m)
		case 'x':
			pattern = withoutSpace(pattern)
		default:
			return nil, fmt.Errorf("unknown modifier %c; the modifiers are m, s, i and x", m)
		}
	}
	if flags.Len() > 0 {
		pattern = "(?" + flags.String() + ")" + pattern
	}
	return regexp.Compile(pattern)
}

// withoutSpace removes white space and comments from a pattern, as the modifier x of Perl
// does. It keeps both in brackets, and white space that is escaped.
func withoutSpace(pattern string) string {
	var b strings.Builder
	class, comment, escaped := false, false, false
	for _, r := range pattern {
		switch {
		case comment:
			comment = r != '\n'
			continue
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case class:
			class = r != ']'
		case r == '[':
			class = true
		case r == '#':
			comment = true
			continue
		case strings.ContainsRune(" \t\n\v\f\r", r):
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
