// Package facts says what holds of a document, before anything is made of it: what
// the options of its blank field state ([Stated]), and with its type known, which
// fields it has, what their tags say and what encoding/json writes of them
// ([Document]).
//
// It knows Go types and encoding/json. It does not know how a key is made of them.
package facts
