// Pkgen-emulator serves an Azure Cosmos DB account, for tests and development.
//
// Its flags are in docs/emulator.md and docs/cli.md. The command pkgen runs it too, as
// pkgen emulator, if both have one version:
//
//	go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen-emulator
//	go tool pkgen-emulator
//	go tool pkgen emulator
package main

import "github.com/cosmos-pkgen/pkgen/cmd/pkgen-emulator/internal/serve"

func main() {
	serve.Program().Main()
}
