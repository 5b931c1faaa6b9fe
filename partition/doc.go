// Package partition is the key contract: the text of a synthetic partition key from its
// components, the bucket of a value, the checks before a request is sent, and the position of a
// key on the hash ring of Cosmos DB.
//
// Stored documents depend on every byte that this package writes. Its output for an input never
// changes, and programs in other languages must be able to compute the same:
// testdata/buckets.json and testdata/containers.json have vectors for them, and only ever grow.
//
// # Text
//
// A string is its own text, an integer its decimal digits, a bool "true" or "false", a time its
// layout in UTC, and any other value its text form (see [AppendText]). The functions append, so
// that a generated method can build a key in its own buffer and allocate only the result.
//
// With the option lower the text is in ASCII lower case, see [AppendLower].
//
// # Escaping
//
// Plain components can run together: ("a-b", "c") and ("a", "b-c") give the same key when a
// hyphen joins them. Percent-encoding prevents that, see [AppendEscaped]: the first character
// of every literal text that follows a component is encoded within components, and so never
// occurs in them. Times are not encoded: their layouts have a fixed width. Read from the left,
// each component then has only one possible end. So different components give different keys,
// and a [Parser] splits a key into its components.
//
// # Buckets
//
// The bucket of a value, the pre-calculated suffix of Microsoft's page on synthetic partition
// keys (https://learn.microsoft.com/azure/cosmos-db/nosql/synthetic-partition-keys), is
// computed in four steps:
//
//  1. FNV-1a, 32 bits, over the UTF-8 bytes of the text; several texts are joined by one zero byte,
//  2. MurmurHash3's finaliser fmix32 over that,
//  3. the remainder of the unsigned sum divided by the number of buckets,
//  4. plus 1.
//
// FNV alone is not enough: its low bits depend only on the low bits of the input. See [Hash].
//
// # Containers
//
// The fields of a document may also determine its container. Their texts are then part of the
// container's id, which allows few characters: see [AppendContainerText].
//
// # Validation
//
// [Check] refuses keys that Cosmos DB would refuse or azcosmos would mangle, with a [*KeyError]
// that names type and field.
//
// # Limits
//
// The package has no tags, document types or layouts: the caller chooses the order of the
// components and the separators between them. A separator of escaped components must not begin
// with "%", a digit or a letter. The package does not depend on azcosmos, sends no requests and
// reads no clock. It does not support keys for containers of version 1, which have other
// effective partition keys and a limit of 101 bytes; only [EPKV1] does.
package partition
