package function

import (
	"fmt"
	"regexp"
	"strings"
)

// maxPattern is how many bytes a regular expression may have, so that the time of a
// match is bounded. It is our own limit.
const maxPattern = 10_000

// regexMatch makes the test of REGEXMATCH from a pattern and, perhaps, modifiers. The
// service takes Perl's regular expressions (Microsoft's page "REGEXMATCH"). Go has no
// back references and no assertions about surroundings: patterns with these are
// refused.
func regexMatch(constants []string) (func(text string) bool, error) {
	modifiers := ""
	if len(constants) == 2 {
		modifiers = constants[1]
	}
	pattern, err := compileRegex(constants[0], modifiers)
	if err != nil {
		return nil, err
	}
	return pattern.MatchString, nil
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
