// Package lock reads, writes and compares pkgen.lock, the file that records how the partition keys
// of a package are made. A document is only found under the key that it was stored with, so a
// layout must not change by accident.
//
// The file is text, for reviews and merges. It lists the containers, each with its partition key
// definition, its time to live, and the types that are stored there. A line such as conflict
// /revision, after the time to live, has the path of the number by which the last writer wins in
// several write regions, if it is not /_ts.
//
//	version 3
//
//	container vehicle-event
//		path /partitionKey
//		kind Hash
//		version 2
//		ttl 86400
//		type VehicleEvent {date}.{vin%400} seal=5851125afc6791e1
//			component date text
//			component vin text
//			property /date string
//			property /id string
//			property /vin string
//
//	end
//
// Words after a layout describe the documents of a type:
//
//   - values=number,string: the JSON types of the key's values, if not all of them
//     are strings
//   - escape: components are percent-encoded
//   - as=reading: the property type of a document has the text reading
//   - prefix=order-: every id begins with order-
//   - was=200,100: documents may be stored under these numbers of buckets, too
//   - next=800: the next release writes this number of buckets, and this one reads it
//   - own=orders-{tenantId}: tenants may be in containers of their own
//   - deleted=deletedAt: documents with this property are marked as deleted
//   - api=table: the API that stores the documents, if it is not NoSQL; the container is
//     then a table, a collection (mongo) or a graph (gremlin), and as= is the label of
//     vertices
//   - row={at|newest}-{id}: the row key of a table, if it is not the id
//   - schema=3,schema: documents have the number of their form in this property, and 3 is
//     the greatest number
//   - alias=fullName+display=name,years=age: old documents have the property name under
//     these names, and age as years
//   - nextname=title=name: the next release stores the property name under the name title,
//     and this one reads it. Files of earlier releases have it in alias=
//   - unique=email,badge: no two documents share a value of these properties, and the
//     container has reservations of values
//   - elsewhere: containers of the same id in other packages are in other databases
//   - draft: the layout may still change
//   - gone: the type is gone, and its documents may still be there
//   - seal=5851125afc6791e1: the digest of the container, the path, the kind, the layout
//     and the components of a type that is no draft. git merges changes of different lines
//     without a conflict; the digest detects lines that do not belong together
//
// Each property in the key has a line with its kind, which says how its text is made: text, int,
// bool, time, float, or the type whose method makes it, such as log/slog.Level. A type of the
// package itself has no path: .Level.
//
// The API for MongoDB stores properties under names of its own. There, a third word of these lines
// says where documents have the property: /v, or - if they do not have it. It is absent if it is
// not known. The place of a component must not change.
//
// Each property that Go writes has a line with its JSON type or, for a number, the Go type that it
// is read into, with its size: int64 for an int. It is number for a json.Number, if a method reads
// it, and in files of earlier releases. Keys do not depend on these lines. They show when a
// property is renamed, removed, or changes its type.
//
// Each global secondary index that the type declares has a line with its name, its container and
// the layout of its key. Words after these describe it:
//
//   - kinds=text,time: how the texts of the properties in its layout are made, in order
//   - property=byCustomer: documents have the text of its key, or of one level, in this property
//   - select=customerId,total: the index has these properties, and all without the word
//   - later: programs write the property, and a later release makes the index
//
// An index is one line, so that git never merges half of a change. The digest of the type does not
// depend on it.
//
// A line is a list of words. A word is in quotes, as Go writes a string, if it is empty, begins
// with a quote, or contains a space or an unprintable character. Lines that begin with # and empty
// lines are ignored. The last line shows that the file is complete.
//
// The package knows the file and how two files differ. It does not know Go source or the meaning of
// a layout: it compares layouts as text. It does not read or write files.
package lock
