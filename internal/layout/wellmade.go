package layout

import (
	"fmt"
	"strings"
)

// wellMade returns why no tags could say a layout, or nil.
func (l *Layout) wellMade() error {
	random := 0
	for i := range l.levels {
		level := &l.levels[i]
		buckets := 0
		for j, p := range level.parts {
			if p.bucket == nil {
				continue
			}
			buckets++
			if len(p.bucket.hash) > 0 {
				continue
			}
			random++
			if j == 0 || j < len(level.parts)-1 {
				return fmt.Errorf("a random bucket must be the last part of a key, after the text that it spreads: write it as in {date}.{*%%400}")
			}
		}
		if buckets > 1 {
			return fmt.Errorf("a key has one suffix: keep one bucket, which may hash several properties, as in {vin+region%%400}")
		}
		if level.escape && strings.ContainsFunc(level.separators, badSeparator) {
			return fmt.Errorf("a text between components begins with a letter, a digit or %%, which percent-encoding needs: begin it with another sign, such as \"-\"")
		}
	}
	if random > 1 {
		return fmt.Errorf("a document remembers one random suffix: keep one of them")
	}
	return nil
}

// badSeparator reports whether percent-encoded text cannot be told from a character.
func badSeparator(r rune) bool {
	return r == '%' || r < 0x80 && (isDigit(byte(r)) || 'a' <= r|0x20 && r|0x20 <= 'z')
}
