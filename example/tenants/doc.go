// Tenants is a small service with orders of tenants, in two tiers: small tenants share a
// container, and a large one has a container of its own. The program stores orders over
// HTTP, moves the tenant that uses most while clients read and write its orders, prints
// what that cost, and checks that nothing was lost.
//
// It runs on an emulator of its own. The files are those of a service:
//
//   - order.go: the document, and in which containers it is
//   - service.go: the requests of tenants, which know nothing of containers
//   - move.go: the move, as an operator would start it
//   - clients.go and main.go: what happens to the service here
package main

//go:generate go run ../../cmd/pkgen
