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
//	pkgen-emulator [flags]             serve Cosmos DB from memory, over TLS
//	pkgen help [command]               print the help of a command
//
// Flags come before or after packages. Name packages as for go build: by a
// folder, an import path, or a pattern such as ./... for a whole module, which is
// loaded and generated in one process. For each struct type with a cosmos tag,
// pkgen writes one file next to the source, named after the type:
// vehicle_event_cosmos.go for VehicleEvent. It removes a file of its own whose
// type is gone.
//
// It also writes pkgen.lock, one file for each package, which records how the
// keys are made: the layout of each type, and the container with its partition
// key path. Check it in. A new layout is a draft, until pkgen seal binds it.
// Documents are found under the key that they were stored with, so pkgen refuses
// a tag or a type that would change a bound key, shows both layouts, and says
// what to do. It refuses to run if there are generated files but no lock, or if
// the lock cannot be read. Names of Go fields, and fields that are not part of a
// key, change no key.
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
// The flags of the subcommands, and the JSON that they print, are in docs/cli.md.
// The page and the help texts are made from one table of commands.
//
// # Exit codes
//
//	0  done, and nothing was found
//	1  something was found, or left undone: docs/cli.md lists the commands
//	2  an error, or a wrong command line; nothing was written
//	3  the key of stored documents would change; nothing was written
//
// All diagnostics go to standard error as file:line:col: message, in order. If a
// package has an error, pkgen writes nothing. It leaves files alone that would
// not change.
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
// The package need not compile: pkgen ignores its own output, which may be
// missing, out of date, or full of merge markers.
package main
