package cosmossql

import (
	"fmt"
	"regexp"
	"strings"
)

// maxPattern is how many bytes a regular expression may have, so that the time of a
// match is bounded. It is our own limit.
const maxPattern = 10_000

// regexMatch compiles REGEXMATCH. The service takes Perl's regular expressions
// (Microsoft's page "REGEXMATCH"). Go has no back references and no assertions about
// surroundings: patterns with these are refused.
func regexMatch(c *compiler, e *callExpr, args []*code) (*code, error) {
	modifiers := ""
	for i, arg := range args[1:] {
		if !arg.constant {
			return nil, c.failure(e.args[i+1].at(), codeUnread, "REGEXMATCH takes its pattern and modifiers as constants or parameters")
		}
		if arg.value.kind != String {
			return constantCode(Value{}), nil
		}
	}
	if len(args) == 3 {
		modifiers = args[2].value.str
	}
	pattern, err := compileRegex(args[1].value.str, modifiers)
	if err != nil {
		return nil, c.failure(e.token, codeRun, "REGEXMATCH: %v", err)
	}
	text := args[0].result()
	return c.folded(&code{test: func(r row) truth {
		v := text(r)
		if v.kind != String {
			return isUndefined
		}
		return truthOf(pattern.MatchString(v.str))
	}}, args...)
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

// withoutSpace takes white space and comments out of a pattern, as the modifier x
// of Perl does: not within brackets, and not where it is escaped.
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
