package layout

import (
	"fmt"
	"strings"
)

// wellMade returns an error if no tags can describe the layout. Escape tells whether components are
// percent-encoded.
func (l *Layout) wellMade(escape bool) error {
	random := 0
	for i := range l.levels {
		level := &l.levels[i]
		buckets := 0
		for j, p := range level.Parts {
			if p.Bucket == nil {
				continue
			}
			buckets++
			if len(p.Bucket.Hash) > 0 {
				continue
			}
			random++
			if j == 0 || j < len(level.Parts)-1 {
				return fmt.Errorf("a random bucket must be the last part of a key, after the text that it spreads: write it as in {date}.{*%%400}")
			}
		}
		if buckets > 1 {
			return fmt.Errorf("a key has one suffix: keep one bucket, which may hash several properties, as in {vin+region%%400}")
		}
		if escape && strings.ContainsFunc(level.Separators(), badSeparator) {
			return fmt.Errorf("a text between components begins with a letter, a digit or %%, which percent-encoding needs: begin it with another sign, such as \"-\"")
		}
	}
	if random > 1 {
		return fmt.Errorf("a document remembers one random suffix: keep one of them")
	}
	return nil
}

// badSeparator reports whether r cannot separate percent-encoded texts: a letter, a digit or %.
func badSeparator(r rune) bool {
	return r == '%' || r < 0x80 && (isDigit(byte(r)) || 'a' <= r|0x20 && r|0x20 <= 'z')
}
