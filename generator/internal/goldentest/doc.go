// Package goldentest knows the golden cases in generator/testdata, for tests: how
// they are read, how their sources become a module, and how a model reads as
// text.
package goldentest
