// Package unique keeps values of properties unique over all logical partitions of a
// container. For each value it stores a reservation, which names the one document that
// has the value. docs/decisions/unique-values.md has the protocol, and the argument why it holds; the
// numbers of steps in comments are those of that page.
package unique
