// Command shop is a service as users of pkgen write it: tenants with orders, telemetry of
// their devices, an audit log, and users. Read it in this order:
//
//   - documents: what is stored, and how its keys are made
//   - open.go: a client, the containers, the repositories
//   - orders: orders and their audit log, with ETags and transactions
//   - service.go: the HTTP API, and what an error means to a client; /debug/cosmos shows
//     what requests cost
//   - orders_http.go, import.go, totals.go, telemetry.go, users.go: its parts
//   - projection.go: what each customer owes, kept by the change feed
//   - page.html: a page for people
//
// It runs on an account, or on the emulator:
//
//	go tool pkgen emulator
//	go run .
package main
