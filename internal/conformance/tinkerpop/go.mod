module github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop

go 1.25.0

require (
	github.com/coder/websocket v1.8.14
	github.com/cosmos-pkgen/pkgen v0.0.0
	github.com/cosmos-pkgen/pkgen/gremlin v0.0.0
	github.com/cosmos-pkgen/pkgen/internal/conformance v0.0.0
	go.uber.org/goleak v1.3.0
)

require github.com/twmb/murmur3 v1.1.8 // indirect

replace (
	github.com/cosmos-pkgen/pkgen => ../../..
	github.com/cosmos-pkgen/pkgen/gremlin => ../../../gremlin
	github.com/cosmos-pkgen/pkgen/internal/conformance => ..
)
