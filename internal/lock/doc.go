// Package lock reads, writes and compares pkgen.lock, the file that remembers
// how the partition keys of a package are made. Documents in a container are
// found under the key that they were stored with, so a layout may not change by
// accident.
//
// The file is text, for reviews and merges: one container after the other, with
// what a container cannot change, and one line for each type that is stored
// there.
//
//	version 1
//
//	container vehicle-event
//		path /partitionKey
//		kind Hash
//		version 2
//		type VehicleEvent {date}.{vin%400}
//
//	end
//
// Words behind a layout say more of the documents of a type: number,string, the
// JSON types of the key's values where not all are strings; escape, that
// components are percent-encoded; and as reading, that the property type holds
// the text reading, and that nothing else is read as one of them.
//
// A line is a list of words. A word that is empty, begins with a quote, or
// holds a space or what does not print stands in quotes, as Go writes a string.
// Lines that begin with # and empty lines say nothing. The last line is there so
// that a file which is cut off is seen to be.
//
// The package knows the file and what makes two of them differ. It does not know
// Go source, nor what a layout means: layouts are compared as text. It does not
// read or write files.
package lock
