module github.com/cosmos-pkgen/pkgen/golangci

go 1.25.0

require (
	github.com/cosmos-pkgen/pkgen v0.0.0
	github.com/golangci/plugin-module-register v0.1.2
	golang.org/x/tools v0.47.0
)

require (
	github.com/dave/jennifer v1.7.1 // indirect
	github.com/twmb/murmur3 v1.1.8 // indirect
	golang.org/x/mod v0.37.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
)

replace github.com/cosmos-pkgen/pkgen => ../
