// Package browsertest uses the page of the shop as people do, in Chromium. It is a module
// of its own: what drives a browser is not among the modules of the shop.
package browsertest
