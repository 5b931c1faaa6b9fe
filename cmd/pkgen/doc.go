// Pkgen writes partition keys and typed repositories for documents in Azure
// Cosmos DB, from cosmos tags on struct fields.
//
//	pkgen [flags] [packages]           generate; the default is the package in "."
//	pkgen init [flags] [packages]      propose tags for structs that have none
//	pkgen explain [flags] [packages]   say how keys are made and what methods cost
//	pkgen seal [flags] [packages]      bind layouts that are drafts, for ever
//	pkgen forget [flags] [packages]    drop the layouts of types that are gone
//	pkgen keys [flags] [packages]      print a key function in another language
//	pkgen tags                         print the words of the cosmos tag
//	pkgen vet [flags] [packages]       find mistakes with tags and generated code
//	pkgen emulator [flags]             serve Cosmos DB from memory, over TLS
//	pkgen completion SHELL             print a completion script for a shell
//	pkgen help [command]               print the help of a command
//
// Flags stand before packages or behind them. A package is named as for go
// build: a folder, an import path, or a pattern such as ./... for a whole
// module, which is loaded and generated in one process. For each struct type
// with a cosmos tag, pkgen writes one file beside the source, named after the
// type: vehicle_event_cosmos.go for VehicleEvent. A file of its own whose type
// is gone is removed.
//
// Beside them it writes pkgen.lock, one file for each package, which says how
// the keys are made: the layout of each type, and the container with its
// partition key path. Check it in. A new layout is a draft, until pkgen seal
// binds it. Documents are found under the key that they were stored with, so a
// tag or a type that would change a bound key is refused, with both layouts and
// what to do. A lock that is missing beside generated files, or cannot be read,
// is refused as well. Names of Go fields, and fields that are no part of a key,
// change no key.
//
// # Flags
//
//	-type T,U    only these types; no file is removed
//	-tags LIST   build tags, as for go build
//	-check       write nothing; list files that are out of date, and drafts
//	-diff        write nothing; print what would change as a unified diff
//	-stdout      write nothing; print the Go files
//	-format F    print findings as text, as json, or for github
//
//	-accept-key-change
//	             let keys change, and write pkgen.lock anew
//
// Those of the subcommands are in docs/cli.md, with the JSON that is printed;
// it is made from the table of commands that help is printed from.
//
// # Exit codes
//
//	0  done, or with -check, -diff and vet: nothing was found
//	1  -check, -diff or vet found something
//	2  an error, or a command line that is wrong; nothing was written
//	3  the key of stored documents would change; nothing was written
//
// Diagnostics go to standard error as file:line:col: message, all of them, in
// order. Nothing is written unless all packages are without errors. Files that
// would not change are left alone.
//
// # In a module
//
// Add the command as a tool, so that go.mod holds its version:
//
//	go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen
//
// and call it from a file of each package that has tags:
//
//	//go:generate go tool pkgen
//
// The package need not compile: pkgen looks past its own output, which may be
// missing, out of date, or full of merge markers.
package main
