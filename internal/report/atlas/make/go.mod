module github.com/cosmos-pkgen/pkgen/internal/report/atlas/make

go 1.25.0

require golang.org/x/image v0.38.0

require golang.org/x/text v0.35.0 // indirect
