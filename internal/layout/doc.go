// Package layout makes the partition keys of documents from their JSON, by the layouts
// that pkgen.lock has. It neither runs nor compiles the program that the lock belongs
// to: commands use it to look at the keys of a sample, or of what a container stores.
//
//	l, err := layout.New(entry) // {date}.{vin%400}
//	key, err := l.Key([]byte(`{"id":"1","date":"2018-08-09","vin":"1HGCM82633A004352"}`))
//	key.String() // 2018-08-09.126
//	key.EPK()    // where that lies on the hash ring
//
// [Layout.Key] returns the key that the generated method PartitionKey returns for the
// document, if the generated method Validate accepts it. Otherwise it returns an
// [*Error], which names the property and a [Problem]. [Layout.Stored] returns the key
// that the service has for the document: where the two differ, no point read finds the
// document. [Candidate] makes a layout of a template that somebody considers.
//
// # What is read of a document
//
// A property has the name that the layout has for it; names that differ in case are
// other names. If a property comes twice, the last one counts, as in the service, also
// if it is an object: encoding/json would merge the two. A text must be JSON as
// encoding/json defines it. The values of other properties are checked and skipped.
//
//   - A text is a JSON string. Half of a surrogate pair is refused.
//   - An integer is a number in digits, or a whole one within ±2^53 in any notation,
//     since the service stores doubles: it may write 1000 as 1e3. The digits of an
//     integer beyond 2^53 are taken as they are, within a text.
//   - A time is in RFC 3339, as time.Time and repository.Time are in JSON.
//   - The text that a method MarshalText makes is the JSON string of the property.
//     Other JSON is refused as [OnlyInGo]. If a type has a method MarshalJSON too, and
//     that writes another string, the key is wrong, and nothing here can know.
//   - A random suffix is read from the end of the stored key.
//
// null, an empty text and a missing property have no key here, as in generated code. A
// missing number is no zero: generated code writes every property of a key.
//
// # What it does not know
//
// It knows no Go types: an integer that is too large for the int8 of its field has a
// key, and so has the zero value of a UUID that is a natural key, which generated code
// refuses. It does not find keys that collide, reads no files, and sends no requests.
package layout
