// Command devices stores the same readings by the four APIs of Azure Cosmos DB for
// which pkgen generates code, and prints a page: the keys, which are the same
// everywhere, whether the readings were read back unchanged, and how many requests
// each API took.
//
// NoSQL runs on an emulator in this process. For the other APIs, say where a server
// is, on this machine, since the layouts are drafts:
//
//	TABLE_CONNECTION_STRING=… MONGO_URI=mongodb://… GREMLIN_ENDPOINT=ws://… go run .
//
// The test of this package starts Azurite, FerretDB and TinkerPop's Gremlin Server.
package main
