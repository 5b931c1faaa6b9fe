// Package browsertest opens the pages of pkgen-data analyze in headless Chromium. It is a module of
// its own, so that users of pkgen do not download browser drivers.
package browsertest
