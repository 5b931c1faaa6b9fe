// Package lock reads, writes and compares pkgen.lock, the file that remembers
// how the partition keys of a package are made. Documents in a container are
// found under the key that they were stored with, so a layout may not change by
// accident.
//
// The file is text, for reviews and merges: one container after the other, with
// what a container cannot change and its time to live, and what is known of each
// type that is stored there.
//
//	version 2
//
//	container vehicle-event
//		path /partitionKey
//		kind Hash
//		version 2
//		ttl 86400
//		type VehicleEvent {date}.{vin%400}
//			component date text
//			component vin text
//			property /date string
//			property /id string
//			property /vin string
//
//	end
//
// Words after a layout say more of the documents of a type: values=number,string,
// the JSON types of the key's values where not all are strings; escape, that
// components are percent-encoded; as=reading, that the property type holds the
// text reading, and that nothing else is read as one of them; elsewhere, that
// containers of the same id in other packages are in other databases; draft, that the
// layout may still change; gone, that the type is no more, and its documents may
// still be there.
//
// Each property that the key is made of has a line with its kind, which says how
// its text is made: text, int, bool, time, float, or the type whose method
// makes it, log/slog.Level. A type of the package itself has no path: .Level.
//
// Each property that Go writes has a line with what it is in JSON. Keys do not
// depend on those: they are there to tell a property that is renamed, removed or
// of another type.
//
// A line is a list of words. A word that is empty, begins with a quote, or
// holds a space or what does not print is in quotes, as Go writes a string.
// Lines that begin with # and empty lines say nothing. The last line is there so
// that a file which is cut off is seen to be.
//
// The package knows the file and what makes two of them differ. It does not know
// Go source, nor what a layout means: layouts are compared as text. It does not
// read or write files.
package lock
