// Package goldentest handles the golden cases in generator/testdata, for tests: it reads them,
// makes a module from their sources, and writes a model as text.
package goldentest
