module github.com/cosmos-pkgen/pkgen/internal/channels

go 1.25.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	golang.org/x/tools v0.47.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	golang.org/x/mod v0.37.0 // indirect
	golang.org/x/sync v0.21.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)
