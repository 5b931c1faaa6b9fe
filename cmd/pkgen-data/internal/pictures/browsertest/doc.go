// Package browsertest opens the pages of pkgen-data analyze in headless Chromium. It is a
// module of its own, so that nobody who uses pkgen gets a driver for browsers.
package browsertest
