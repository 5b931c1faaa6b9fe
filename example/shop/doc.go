// Command shop is a service as users of pkgen write it: tenants with orders, telemetry of
// their devices, an audit log, and users. README.md says where what is.
//
// It runs on an account, or on the emulator:
//
//	go tool pkgen-emulator
//	go run .
package main
