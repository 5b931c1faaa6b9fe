// Package facts says what holds of a document, before a model is made of it. A
// [Stated] document has the options of its blank field. A [Document] has a known
// type as well: its fields, what their tags say, and what encoding/json writes of
// them.
//
// It knows Go types and encoding/json. It does not know how a key is made.
package facts
