// Package consumer tests the modules of this repository as programs of other
// repositories get them: from a module proxy, by versions, without a replace. It has
// nothing but tests.
package consumer
