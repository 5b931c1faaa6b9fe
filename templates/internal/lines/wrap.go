package lines

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Widest is how many bytes a line of generated code may have, if it can be broken.
const Widest = 120

// Wrap returns unformatted source with its long lines broken:
//
//   - the head of a function, with a line for each of its parameters, though
//     parameters of one type stay together;
//   - a function within another one, with a line for its body;
//   - the conditions of a query, with a line for each;
//   - a key that is returned, with a line for each field.
func Wrap(source []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(source) + len(source)/16)
	for line := range bytes.Lines(source) {
		if len(line) > Widest-slack && !bytes.HasPrefix(line, []byte("//")) {
			if text := wrap(tight(strings.TrimRight(string(line), "\n"))); strings.Contains(text, "\n") {
				b.WriteString(text + "\n")
				continue
			}
		}
		b.Write(line)
	}
	return b.Bytes()
}

// slack is how many blanks and tabs gofmt may add to a line.
const slack = 20

// wrap breaks a line if it is too long and of a form that can be broken.
func wrap(line string) string {
	if len(line)+strings.Count(line, ",") <= Widest {
		return line
	}
	switch {
	case strings.HasPrefix(line, "func ") && strings.HasSuffix(line, "{"):
		return wrapParameters(line)
	case strings.HasPrefix(line, ").Where"):
		return wrapConditions(line)
	case strings.HasPrefix(line, "return "):
		return wrapFields(line)
	}
	if m := body.FindStringSubmatch(line); m != nil {
		return m[1] + "{\n" + wrap("return "+m[2]) + "\n},"
	}
	return line
}

// body is a function within another one.
var body = regexp.MustCompile(`^(func ?\([^"` + "`" + `]*)\{ return (.*) \},$`)

// wrapParameters breaks the head of a function.
//
//	func (r *TripRepository) ByVINBetweenMonths(
//		vin string,
//		from, to time.Time,
//	) repository.Query[Trip] {
func wrapParameters(line string) string {
	start := len("func ")
	if line[start] == '(' { // the receiver
		start += closing(line[start:])
	}
	start += strings.IndexByte(line[start:], '(')
	end := start + closing(line[start:])
	var b strings.Builder
	b.WriteString(line[:start] + "(\n")
	for _, part := range divide(line[start+1 : end]) {
		b.WriteString(part + ",")
		if strings.Contains(part, " ") { // else its type follows
			b.WriteByte('\n')
		}
	}
	return b.String() + line[end:]
}

// wrapConditions breaks a chain of conditions after its dots.
func wrapConditions(line string) string {
	var b strings.Builder
	from := 0
	for _, dot := range mark.FindAllStringIndex(masked(line), -1) {
		b.WriteString(line[from:dot[1]] + "\n")
		from = dot[1]
	}
	return b.String() + line[from:]
}

// mark is where a chain of conditions can be broken.
var mark = regexp.MustCompile(`\)\.\b`)

// wrapFields breaks the composite literal that a statement returns.
func wrapFields(line string) string {
	start := strings.IndexByte(line, '{')
	if start < 0 || strings.ContainsAny(line[:start], "([\"`") {
		return line
	}
	end := start + closing(line[start:])
	return line[:start] + "{\n" + strings.Join(divide(line[start+1:end]), ",\n") + ",\n" + line[end:]
}

// tight returns line without the blanks that jennifer writes and gofmt takes out.
func tight(line string) string {
	var b strings.Builder
	from := 0
	for _, s := range literals(line) {
		b.WriteString(blanks.Replace(line[from:s[0]]) + line[s[0]:s[1]])
		from = s[1]
	}
	return b.String() + blanks.Replace(line[from:])
}

// blanks has pairs of equal texts for the blanks that gofmt keeps before a bracket.
var blanks = strings.NewReplacer(" . ", ".", ") (", ") (", " (", "(", " [", "[", "* ", "*", "& ", "&", " ,", ",", " : ", ": ", "func (", "func (")

// divide cuts text at the commas outside of brackets.
func divide(text string) []string {
	var parts []string
	from, depth := 0, 0
	for i, c := range []byte(masked(text)) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// closing returns the index of the bracket that closes the first one of text.
func closing(text string) int {
	depth := 0
	return slices.IndexFunc([]byte(masked(text)), func(c byte) bool {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		return depth == 0
	})
}

// masked returns text with blanks in place of its literals.
func masked(text string) string {
	b := []byte(text)
	for _, s := range literals(text) {
		for i := s[0]; i < s[1]; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// literals returns where the strings and runes of a line begin and end.
func literals(line string) [][2]int {
	var all [][2]int
	for i := 0; i < len(line); i++ {
		if quoted, err := strconv.QuotedPrefix(line[i:]); err == nil {
			all = append(all, [2]int{i, i + len(quoted)})
			i += len(quoted) - 1
		}
	}
	return all
}
