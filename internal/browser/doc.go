// Package browser drives Chromium in tests of pages. It is a module of its own: what
// drives a browser is not among the modules of users.
package browser
