module github.com/cosmos-pkgen/pkgen/internal/conformance

go 1.25.0

require (
	github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos v1.5.0
	github.com/cosmos-pkgen/pkgen v0.0.0
	golang.org/x/tools v0.47.0
)

require github.com/rogpeppe/go-internal v1.14.1 // indirect

require (
	github.com/Azure/azure-sdk-for-go/sdk/data/aztables v1.4.1 // indirect
	github.com/coder/websocket v1.8.14 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	github.com/klauspost/compress v1.16.7 // indirect
	github.com/xdg-go/pbkdf2 v1.0.0 // indirect
	github.com/xdg-go/scram v1.1.2 // indirect
	github.com/xdg-go/stringprep v1.0.4 // indirect
	github.com/youmark/pkcs8 v0.0.0-20240726163527-a2c0da244d78 // indirect
	go.mongodb.org/mongo-driver/v2 v2.4.0 // indirect
	go.uber.org/goleak v1.3.0
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
)

require (
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.23.0 // indirect
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.12.0 // indirect
	github.com/cosmos-pkgen/pkgen/gremlin v0.0.0
	github.com/cosmos-pkgen/pkgen/mongo v0.0.0
	github.com/cosmos-pkgen/pkgen/table v0.0.0
	github.com/twmb/murmur3 v1.1.8 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)

replace github.com/cosmos-pkgen/pkgen => ../..

replace github.com/cosmos-pkgen/pkgen/mongo => ../../mongo

replace github.com/cosmos-pkgen/pkgen/table => ../../table

replace github.com/cosmos-pkgen/pkgen/gremlin => ../../gremlin
