// Package transport has an account in this process for tests in virtual time. Requests wait until a
// test picks one and decides its fate. There is no port, and the requests are recorded.
package transport
