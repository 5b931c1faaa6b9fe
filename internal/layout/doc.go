// Package layout makes the partition keys of documents from their JSON, by the layouts in
// pkgen.lock. It neither runs nor compiles the program that the lock belongs to: commands use it to
// examine the keys of a sample or of a container.
//
//	l, err := layout.New(entry) // {date}.{vin%400}
//	key, err := l.Key([]byte(`{"id":"1","date":"2018-08-09","vin":"1HGCM82633A004352"}`))
//	key.String() // 2018-08-09.126
//	key.EPK()    // its position on the hash ring
//
// [Layout.Key] returns the same key as the generated method PartitionKey, if the generated method
// Validate accepts the document. Otherwise it returns an [*Error] with the property and a
// [Problem]. [Layout.Stored] returns the service's key of the document: if the two differ, no point
// read finds the document. [Candidate] makes a layout from a template that is not in the lock.
//
// # How a document is read
//
// Property names are the names in the layout, and case-sensitive. If a property occurs twice, the
// last one counts, as in the service, even for objects, which encoding/json would merge. A text
// must be JSON as encoding/json defines it. The values of other properties are checked and skipped.
//
//   - A text is a JSON string. Half of a surrogate pair is refused.
//   - An integer is a number in digits, or a whole one within ±2^53 in any notation,
//     since the service stores doubles: it may write 1000 as 1e3. In a text, the digits
//     of an integer beyond 2^53 are used unchanged.
//   - A time is in RFC 3339, the JSON of time.Time and repository.Time.
//   - The text of a method MarshalText is the JSON string of the property. Other JSON is
//     refused as [OnlyInGo]. If a type also has a method MarshalJSON that writes another
//     string, the key is wrong, which this package cannot detect.
//   - A random suffix is read from the end of the stored key.
//
// As in generated code, null, an empty text and a missing property have no key. A missing number is
// not zero: generated code writes every property of a key.
//
// # Limits
//
// It knows no Go types. It makes a key from an integer that is too large for the int8 of its field,
// and from the zero value of a UUID that is a natural key, which generated code refuses. It does
// not find keys that collide, reads no files, and sends no requests.
package layout
