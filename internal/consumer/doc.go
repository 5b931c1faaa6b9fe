// Package consumer tests the modules of this repository as other repositories use them: from a
// module proxy, by version, without replace. It has only tests.
package consumer
