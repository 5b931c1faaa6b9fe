// Package browser drives Chromium in tests of pages. It is a module of its own, so that users do
// not download browser drivers.
package browser
