package lines

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Widest is how many bytes a line of generated code may have, if it can be broken. At oneLine
// bytes gofmt breaks functions on one line.
const (
	Widest  = 120
	oneLine = 100
)

// Wrap returns unformatted source with a function that only returns something on one line, if
// it fits, and with long lines broken:
//
//   - the head of a function, with a line for each of its parameters, though
//     parameters of one type stay together;
//   - a function within another one, with a line for its body;
//   - calls within a call, with as many on a line as fit;
//   - a key that is returned, with a line for each field.
func Wrap(source []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(source) + len(source)/16)
	for len(source) > 0 {
		if joined, rest, ok := join(source); ok {
			b.WriteString(joined)
			source = rest
			continue
		}
		var line []byte
		line, source = cut(source)
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

// cut returns the first line of source with its line feed, and the rest.
func cut(source []byte) (line, rest []byte) {
	i := bytes.IndexByte(source, '\n') + 1
	if i == 0 {
		i = len(source)
	}
	return source[:i], source[i:]
}

// join returns the function that source begins with on one line, and the rest, if the function
// only returns something and the line is not too long.
//
//	func (k VehicleEventKey) PartitionKey() string { return k.bucket(1) }
func join(source []byte) (line string, rest []byte, ok bool) {
	head, rest := cut(source)
	if !bytes.HasPrefix(head, []byte("func ")) || !bytes.HasSuffix(head, []byte("{\n")) {
		return "", nil, false
	}
	returned, rest := cut(rest)
	end, rest := cut(rest)
	if !bytes.HasPrefix(returned, []byte("return ")) || string(end) != "}\n" {
		return "", nil, false
	}
	line = tight(strings.TrimSpace(string(head))) + " " + tight(strings.TrimSpace(string(returned))) + " }\n"
	return line, rest, len(line)+strings.Count(line, ",") <= oneLine
}

// slack is how many blanks and tabs gofmt may add to a line.
const slack = 20

// wrap breaks a line if it is too long and of a form that can be broken.
func wrap(line string) string {
	switch {
	case len(line)+strings.Count(line, ",") <= Widest:
	case strings.HasPrefix(line, "func ") && strings.HasSuffix(line, "{"):
		return wrapParameters(line)
	case strings.HasPrefix(line, "return "):
		if text := wrapFields(line); text != line {
			return text
		}
		return wrapCalls(line)
	case assigned.MatchString(line):
		return wrapCalls(line)
	default:
		if m := body.FindStringSubmatch(line); m != nil {
			return m[1] + "{\n" + wrap("return "+m[2]) + "\n},"
		}
	}
	return line
}

// assigned begins a statement or an element with a call in it.
var assigned = regexp.MustCompile(`^(if )?\w+ :?= \w|^[\w.]+\(`)

// body is a function within another one.
var body = regexp.MustCompile(`^(func ?\([^"` + "`" + `]*)\{ return (.*) \},$`)

// wrapParameters breaks the head of a function, with all parameters on a line of their own if
// they fit, and else with a line for each.
//
//	func (r *TripRepository) ByVINBetweenMonths(
//		vin string, from, to time.Time,
//	) repository.Query[Trip] {
func wrapParameters(line string) string {
	start := len("func ")
	if line[start] == '(' { // the receiver
		start += closing(line[start:])
	}
	start += strings.IndexByte(line[start:], '(')
	end := start + closing(line[start:])
	parameters := divide(line[start+1 : end])
	if all := strings.Join(parameters, ", ") + ","; len(all)+slack/2 <= Widest {
		return line[:start] + "(\n" + all + "\n" + line[end:]
	}
	var b strings.Builder
	b.WriteString(line[:start] + "(\n")
	for _, part := range parameters {
		b.WriteString(part + ",")
		if strings.Contains(part, " ") { // else its type follows
			b.WriteByte('\n')
		}
	}
	return b.String() + line[end:]
}

// wrapCalls breaks a statement between the arguments of its calls, and before the methods of a
// chain, so that each line has as many as fit. A short call, and one without a call in it, stay
// whole.
//
//	return partition.Check("VehicleEvent", partition.ID(k.ID), partition.Text("Date", k.Date),
//		partition.Text("VIN", k.VIN), partition.Key(k.PartitionKey()))
func wrapCalls(line string) string {
	var b strings.Builder
	from, last, width := 0, -1, 0
	for _, at := range breaks(line) {
		if width+at-from+strings.Count(line[from:at], ",") > Widest && last > from {
			b.WriteString(strings.TrimSpace(line[from:last]) + "\n")
			from, width = last, indent
		}
		last = at
	}
	if len(line)-from+width > Widest && last > from {
		b.WriteString(strings.TrimSpace(line[from:last]) + "\n")
		from = last
	}
	return b.String() + strings.TrimSpace(line[from:])
}

// short is how long the arguments of a call may be that is not broken.
const short = 60

// indent is how wide gofmt makes the beginning of a line that goes on with another one.
const indent = 12

// breaks returns where wrapCalls may break a line.
func breaks(line string) []int {
	text := masked(line)
	var all []int
	whole := 0 // the end of a group that stays whole
	for i := range len(text) {
		switch c := text[i]; {
		case i < whole:
		case c == '(' || c == '[' || c == '{':
			end := i + closing(line[i:]) + 1
			if c != '(' || end-i <= short || !strings.Contains(text[i+1:end], "(") {
				whole = max(end, i+1)
			}
		case c == ',':
			all = append(all, i+1)
		case c == '.' && i > 0 && text[i-1] == ')':
			all = append(all, i+1)
		}
	}
	return all
}

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
