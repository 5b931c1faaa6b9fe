module github.com/cosmos-pkgen/pkgen/gremlin

go 1.25.0

require (
	github.com/coder/websocket v1.8.14
	go.uber.org/goleak v1.3.0
)

replace github.com/cosmos-pkgen/pkgen => ..
