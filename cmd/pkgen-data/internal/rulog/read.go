package rulog

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// columns are the columns to read, in lower case, with their other names: in the table
// AzureDiagnostics without their ending, and in a storage account.
var columns = []struct {
	name   string
	others []string
	needed bool
}{
	{"partitionkey", nil, true},
	{"requestcharge", nil, true},
	{"timegenerated", []string{"time"}, true},
	{"partitionkeyrangeid", nil, false},
	{"operationname", nil, false},
	{"regionname", nil, false},
	{"databasename", nil, false},
	{"collectionname", nil, false},
	{"category", []string{"type"}, false},
}

// The columns by number.
const (
	colKey = iota
	colCharge
	colTime
	colRange
	colOperation
	colRegion
	colDatabase
	colContainer
	colCategory
	manyColumns
)

// columnOf returns the number of a column by its name in a file, or -1. The portal appends the zone
// of a time, AzureDiagnostics the type of a value.
func columnOf(name string) int {
	name, _, _ = strings.Cut(strings.ToLower(strings.TrimPrefix(name, "\ufeff")), "[")
	name = strings.TrimSpace(name)
	for _, end := range []string{"_s", "_d", "_g", "_t"} {
		name = strings.TrimSuffix(name, end)
	}
	return slices.IndexFunc(columns, func(c struct {
		name   string
		others []string
		needed bool
	},
	) bool {
		return c.name == name || slices.Contains(c.others, name)
	})
}

// row has the texts of a record by column.
type row [manyColumns]string

// Options select the records of a log.
type Options struct {
	// Database and Container are ids; "" is any.
	Database, Container string
}

// Read reads a log. It is one of
//
//   - a table of values separated by commas, with a line of names, as the portal exports it
//   - an array of objects, as az monitor log-analytics query prints it
//   - an object with tables, as the API of Log Analytics answers
//   - an object in each line, as a storage account has them
//
// A record that cannot be read is counted. A log of several containers is an error,
// unless the options name one.
func Read(r io.Reader, o Options) (*Log, error) {
	in := bufio.NewReader(r)
	l := newLog(o)
	var err error
	switch first := firstByte(in); first {
	case 0:
		err = errors.New("the log is empty: export CDBPartitionKeyRUConsumption")
	case '[':
		err = readArray(json.NewDecoder(in), l)
	case '{':
		err = readObjects(json.NewDecoder(in), l)
	default:
		err = readTable(in, l)
	}
	if err == nil {
		err = l.check()
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// firstByte peeks at the first byte that is neither a space nor part of a byte order mark; 0 if
// there is none.
func firstByte(in *bufio.Reader) byte {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) && b != 0xef && b != 0xbb && b != 0xbf {
			_ = in.UnreadByte() // after a read, a byte can be unread
			return b
		}
	}
}

// lacks returns an error if a log lacks a required column.
func lacks(have func(column int) bool) error {
	for i, c := range columns {
		if c.needed && !have(i) {
			return fmt.Errorf("the log has no column %s: export PartitionKey, PartitionKeyRangeId, OperationName, RequestCharge and TimeGenerated of CDBPartitionKeyRUConsumption",
				[]string{"PartitionKey", "RequestCharge", "TimeGenerated"}[i])
		}
	}
	return nil
}

// readTable reads CSV.
func readTable(in io.Reader, l *Log) error {
	table := csv.NewReader(in)
	table.FieldsPerRecord = -1
	table.ReuseRecord = true
	head, err := table.Read()
	if err != nil {
		return fmt.Errorf("the log is neither JSON nor a table of values separated by commas: %w", err)
	}
	numbers := make([]int, len(head))
	for i, name := range head {
		numbers[i] = columnOf(name)
	}
	if err := lacks(func(column int) bool { return slices.Contains(numbers, column) }); err != nil {
		return err
	}
	for {
		record, err := table.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote):
			return fmt.Errorf("the log: %w: a key with quotes needs quotes around it and each quote twice, as the portal writes it", err)
		case err != nil:
			return fmt.Errorf("the log: %w", err)
		case len(record) != len(numbers):
			l.invalid++
			continue
		}
		var r row
		for i, text := range record {
			if numbers[i] >= 0 {
				r[numbers[i]] = text
			}
		}
		if err := l.add(r); err != nil {
			return err
		}
	}
}

// readArray reads an array of objects.
func readArray(d *json.Decoder, l *Log) error {
	_, _ = d.Token() // [
	for n := 0; d.More(); n++ {
		if err := readObject(d, l, n == 0); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("the log ends within its array: %w", err)
	}
	return nil
}

// readObjects reads an object on each line, or one with tables.
func readObjects(d *json.Decoder, l *Log) error {
	var first map[string]json.RawMessage
	if err := d.Decode(&first); err != nil {
		return notJSON(err)
	}
	if tables, ok := first["tables"]; ok {
		return readTables(tables, l)
	}
	if err := addObject(first, l, true); err != nil {
		return err
	}
	for {
		if err := readObject(d, l, false); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// notJSON returns the error for invalid JSON.
func notJSON(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	return fmt.Errorf("the log is not JSON: %w: export it again", err)
}

// readObject reads a record. If the first one lacks the columns, all do.
func readObject(d *json.Decoder, l *Log, first bool) error {
	var object map[string]json.RawMessage
	if err := d.Decode(&object); err != nil {
		var otherType *json.UnmarshalTypeError
		if errors.As(err, &otherType) {
			l.invalid++
			return nil
		}
		return notJSON(err)
	}
	return addObject(object, l, first)
}

// addObject adds a record, whose columns may be in the object properties.
func addObject(object map[string]json.RawMessage, l *Log, first bool) error {
	var r row
	var have [manyColumns]bool
	set := func(members map[string]json.RawMessage) {
		for name, value := range members {
			if i := columnOf(name); i >= 0 {
				r[i], have[i] = textOf(value), true
			}
		}
	}
	set(object)
	if inner, ok := object["properties"]; ok {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(inner, &members) // other types have no columns
		set(members)
	}
	if err := lacks(func(column int) bool { return have[column] }); err != nil {
		if first {
			return err
		}
		l.invalid++
		return nil
	}
	return l.add(r)
}

// textOf returns the text of a JSON string, or the JSON of another value.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// readTables reads an answer of the API of Log Analytics. The first table has the rows.
func readTables(raw json.RawMessage, l *Log) error {
	var tables []struct {
		Columns []struct {
			Name string `json:"name"`
		} `json:"columns"`
		Rows [][]json.RawMessage `json:"rows"`
	}
	if err := json.Unmarshal(raw, &tables); err != nil || len(tables) == 0 {
		return errors.New("the tables of the log do not have the form of Log Analytics: export it again")
	}
	numbers := make([]int, len(tables[0].Columns))
	for i, c := range tables[0].Columns {
		numbers[i] = columnOf(c.Name)
	}
	if err := lacks(func(column int) bool { return slices.Contains(numbers, column) }); err != nil {
		return err
	}
	for _, values := range tables[0].Rows {
		if len(values) != len(numbers) {
			l.invalid++
			continue
		}
		var r row
		for i, value := range values {
			if numbers[i] >= 0 {
				r[numbers[i]] = textOf(value)
			}
		}
		if err := l.add(r); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if a log has no usable records.
func (l *Log) check() error {
	if l.records == 0 {
		if l.invalid > 0 {
			return fmt.Errorf("none of the %d records of the log can be read: their charges or times are invalid, or they are of other containers", l.invalid)
		}
		return errors.New("the log has no records of the container: check the time range of the export, and that the diagnostic setting has PartitionKeyRUConsumption")
	}
	if len(l.containers) > 1 {
		return fmt.Errorf("the log has records of several containers, %s: name one by -container, and -database if it is in several", plain.Word(strings.Join(slices.Sorted(slices.Values(l.containers)), ", ")))
	}
	return nil
}
