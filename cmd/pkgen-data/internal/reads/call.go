package reads

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Call is a method and how often it is called.
type Call struct {
	Method    string  `json:"method"`
	PerSecond float64 `json:"perSecond"`
	// Knows are the properties whose values a call knows, by their names in layouts. If it is nil,
	// they follow from the name of the method.
	Knows []string `json:"knows"`
	// Changes are the properties whose values a write changes, by their names in layouts. If one is
	// in the key of an index, the document moves there.
	Changes []string `json:"changes"`
	// Documents is how many documents a call returns or writes; 0 means 1.
	Documents float64 `json:"documents"`
	// Periods is the number of periods that a call reads, such as 7 days; 0 means 1.
	Periods int `json:"periods"`
}

// schemaField is the property by which editors find the schema of a file. No method has this name.
const schemaField = "$schema"

// fields are the names of a call's properties, in the order of a CSV file.
var fields = []string{"method", "perSecond", "knows", "documents", "periods", "changes"}

// Parse reads a calls file. It is one of
//
//	{"ByDate": 2, "Get": 500}
//	[{"method": "ByVIN", "perSecond": 120, "knows": ["vin"], "documents": 3}]
//	method,perSecond,knows,documents      a header, then a line for each method
//	{"time": "…", "op": "get"} …          a log, see [parseLog]
//
// It returns each method once, in the order of the file.
func Parse(r io.Reader) ([]Call, error) {
	in := bufio.NewReader(r)
	first, err := firstByte(in)
	if err != nil {
		return nil, errors.New("the calls file is empty: write calls per second by method, such as {\"Get\": 500}")
	}
	var calls []Call
	switch first {
	case '{':
		calls, err = parseObjects(in)
	case '[':
		calls, err = parseArray(in)
	default:
		calls, err = parseTable(in)
	}
	if err != nil {
		return nil, err
	}
	if len(calls) == 0 {
		return nil, errors.New("the calls file has no calls: write calls per second by method, such as {\"Get\": 500}")
	}
	seen := map[string]bool{}
	for _, c := range calls {
		if err := c.check(); err != nil {
			return nil, err
		}
		if seen[c.Method] {
			return nil, fmt.Errorf("the calls file has method %s twice: add the calls up", plain.Word(c.Method))
		}
		seen[c.Method] = true
	}
	return calls, nil
}

// mostNumber is the maximum of numbers in a calls file, which keeps sums finite.
const mostNumber = 1e9

// check returns why a call is invalid, or nil.
func (c Call) check() error {
	bad := func(f float64) bool { return !(f >= 0 && f <= mostNumber) }
	switch {
	case c.Method == "":
		return errors.New("a call has no method: name it")
	case bad(c.PerSecond) || bad(c.Documents) || bad(float64(c.Periods)):
		return fmt.Errorf("method %s: perSecond, documents and periods must be numbers from 0 to a billion: correct the calls file", plain.Word(c.Method))
	}
	return nil
}

// firstByte peeks at the first byte that is neither a space nor a byte order mark.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n\xef\xbb\xbf", rune(b)) && b != 0xef && b != 0xbb && b != 0xbf {
			return b, in.UnreadByte()
		}
	}
}

// parseObjects parses one object of methods, or a log with an object on each line.
func parseObjects(in io.Reader) ([]Call, error) {
	d := json.NewDecoder(in)
	var first, second json.RawMessage
	if err := d.Decode(&first); err != nil {
		return nil, notJSON(err)
	}
	switch err := d.Decode(&second); {
	case errors.Is(err, io.EOF) && !isRecord(first):
		return parseMethods(first)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, notJSON(err)
	case err != nil:
		return parseLog(d, first)
	}
	return parseLog(d, first, second)
}

// notJSON returns the error for invalid JSON.
func notJSON(err error) error {
	return fmt.Errorf("the calls file is not JSON: %w: correct it, or write a table that begins with the line method,perSecond", err)
}

// parseMethods parses {"Get": 500, "ByVIN": {"perSecond": 120, "knows": ["vin"]}}.
func parseMethods(object json.RawMessage) ([]Call, error) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	_, _ = d.Token() // {
	var calls []Call
	for d.More() {
		name, _ := d.Token()
		method, _ := name.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, notJSON(err)
		}
		if method == schemaField {
			continue
		}
		c := Call{Method: method}
		if value[0] == '{' {
			if err := decode(value, &c); err != nil {
				return nil, fmt.Errorf("method %s: %w", plain.Word(method), err)
			}
			if c.Method != method {
				return nil, fmt.Errorf("method %s has a second name within: remove one of the two", plain.Word(method))
			}
		} else if err := json.Unmarshal(value, &c.PerSecond); err != nil || value[0] == 'n' {
			return nil, fmt.Errorf("method %s: the calls per second are not a number: write one, or an object with perSecond, knows, documents, periods and changes", plain.Word(method))
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// parseArray parses an array of calls.
func parseArray(in io.Reader) ([]Call, error) {
	d := json.NewDecoder(in)
	var list []json.RawMessage
	if err := d.Decode(&list); err != nil {
		return nil, notJSON(err)
	}
	if d.More() {
		return nil, errors.New("the calls file continues after its array: remove the rest")
	}
	calls := make([]Call, len(list))
	for i, raw := range list {
		if err := decode(raw, &calls[i]); err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	return calls, nil
}

// decode parses a call, and refuses unknown properties.
func decode(raw json.RawMessage, c *Call) error {
	var names map[string]json.RawMessage
	if err := json.Unmarshal(raw, &names); err != nil || names == nil {
		return errors.New("it is not an object with method and perSecond: correct the calls file")
	}
	for name := range names {
		if err := knownField(name); err != nil {
			return err
		}
	}
	if names["perSecond"] == nil {
		return errors.New("it has no perSecond: write how often the method is called")
	}
	if err := json.Unmarshal(raw, c); err != nil {
		return fmt.Errorf("a value has another JSON type than it should: %w", err)
	}
	return nil
}

// knownField refuses a name that is no field of a call.
func knownField(name string) error {
	if slices.Contains(fields, name) {
		return nil
	}
	if meant := spelling.Nearest(name, fields); meant != "" {
		return fmt.Errorf("%q is unknown: write %q", plain.Word(name), meant)
	}
	return fmt.Errorf("%q is unknown: use %s", plain.Word(name), strings.Join(fields, ", "))
}

// parseTable parses CSV. The properties that a call knows or changes are separated by spaces.
func parseTable(in io.Reader) ([]Call, error) {
	table := csv.NewReader(in)
	head, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("the calls file is neither JSON nor a table: %w", err)
	}
	for i, name := range head {
		head[i] = strings.TrimSpace(name)
		if err := knownField(head[i]); err != nil {
			return nil, fmt.Errorf("the first line of the calls file: %w", err)
		}
	}
	for _, needed := range fields[:2] {
		if !slices.Contains(head, needed) {
			return nil, fmt.Errorf("the first line of the calls file has no column %s: add it", needed)
		}
	}
	var calls []Call
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return calls, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the calls file: %w", err)
		}
		var c Call
		for i, value := range row {
			if err := c.set(head[i], strings.TrimSpace(value)); err != nil {
				line, _ := table.FieldPos(i)
				return nil, fmt.Errorf("line %d of the calls file: %s is not a number: correct it", line, head[i])
			}
		}
		calls = append(calls, c)
	}
}

// set sets a field of a call from its text.
func (c *Call) set(field, text string) (err error) {
	switch field {
	case "method":
		c.Method = text
	case "knows":
		if text != "" {
			c.Knows = strings.Fields(text)
		}
	case "changes":
		if text != "" {
			c.Changes = strings.Fields(text)
		}
	case "perSecond":
		c.PerSecond, err = strconv.ParseFloat(text, 64)
	case "documents":
		if text != "" {
			c.Documents, err = strconv.ParseFloat(text, 64)
		}
	case "periods":
		if text != "" {
			c.Periods, err = strconv.Atoi(text)
		}
	}
	return err
}
