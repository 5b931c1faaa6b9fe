// Package transport has an account in this process for tests in virtual time: requests wait until a
// test lets one act, which decides what happens to it on its way. There is no port, and the
// requests are recorded.
package transport
