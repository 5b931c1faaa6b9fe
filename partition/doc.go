// Package partition is the key contract: how the text of a synthetic partition
// key is made of its components, into which bucket a value falls, which keys
// are refused before a request is sent, and where on the hash ring of Cosmos
// DB a key lies.
//
// Stored documents depend on every byte that this package writes. Its output for
// an input never changes, and programs in other languages must be able to compute
// the same: testdata/buckets.json and testdata/containers.json hold vectors for them,
// and only ever grow.
//
// # Text
//
// A string is its own text, an integer its decimal digits, a bool "true" or
// "false", a time its layout in UTC, anything else its text form (see
// [AppendText]). The functions append, so that a generated method can build a
// key in a buffer of its own and allocate the result alone.
//
// With the option lower the text is in ASCII lower case, see [AppendLower].
//
// # Escaping
//
// Plain components can run together: ("a-b", "c") and ("a", "b-c") give one
// key when a hyphen joins them. Percent-encoding ends that, see
// [AppendEscaped]: the first character of every literal text that follows a
// component is encoded within components, and so never occurs in them. Times
// are not encoded: their layouts have a fixed width. Read from the left, each
// component then has only one place where it can end. So different components give
// different keys, and a [Parser] splits a key into its components.
//
// # Buckets
//
// The bucket of a value, the pre-calculated suffix of Microsoft's page on
// synthetic partition keys
// (https://learn.microsoft.com/azure/cosmos-db/nosql/synthetic-partition-keys),
// is made in four steps:
//
//  1. FNV-1a, 32 bits, over the UTF-8 bytes of the text; several texts are
//     joined by one zero byte,
//  2. MurmurHash3's finaliser fmix32 over that,
//  3. the remainder of the unsigned sum divided by the number of buckets,
//  4. plus 1.
//
// FNV alone would not do, since its low bits depend on the low bits of the
// input only. See [Hash].
//
// # Containers
//
// The fields of a document may also say in which container it is. Their texts are
// then part of the container's id, which may hold few characters: see
// [AppendContainerText].
//
// # Validation
//
// [Check] refuses what Cosmos DB would refuse and what azcosmos would mangle,
// as a [*KeyError] that names type and field.
//
// # What it does not know
//
// It knows no tags, no document types and no layouts: the caller chooses the order
// of the components and the separators between them. A separator of escaped
// components must not begin with "%", a digit or a letter. The package does not know
// azcosmos, sends no requests and reads no clock. It does not support containers of
// version 1, which have other effective partition keys and a limit of 101 bytes.
package partition
