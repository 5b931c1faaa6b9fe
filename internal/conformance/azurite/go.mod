module github.com/cosmos-pkgen/pkgen/internal/conformance/azurite

go 1.25.0

require (
	github.com/Azure/azure-sdk-for-go/sdk/data/aztables v1.4.1
	github.com/cosmos-pkgen/pkgen v0.0.0
	github.com/cosmos-pkgen/pkgen/internal/conformance v0.0.0
	github.com/cosmos-pkgen/pkgen/table v0.0.0
)

require (
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.23.0 // indirect
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.12.0 // indirect
	github.com/twmb/murmur3 v1.1.8 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)

replace (
	github.com/cosmos-pkgen/pkgen => ../../..
	github.com/cosmos-pkgen/pkgen/internal/conformance => ..
	github.com/cosmos-pkgen/pkgen/table => ../../../table
)
