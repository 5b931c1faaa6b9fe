// Command admin looks after the containers and documents of package documents: run it with help.
package main

import (
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository/admin/command"
)

func main() {
	command.Main(documents.Administration())
}
