module github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/pictures/browsertest

go 1.25.0

require (
	github.com/chromedp/cdproto v0.0.0-20250803210736-d308e07a266d
	github.com/chromedp/chromedp v0.14.2
	github.com/cosmos-pkgen/pkgen v0.0.0
	github.com/cosmos-pkgen/pkgen/internal/browser v0.0.0
)

require (
	github.com/chromedp/sysutil v1.1.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20250725192818-e39067aee2d2 // indirect
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	github.com/gobwas/ws v1.4.0 // indirect
	github.com/twmb/murmur3 v1.1.8 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace (
	github.com/cosmos-pkgen/pkgen => ../../../../..
	github.com/cosmos-pkgen/pkgen/internal/browser => ../../../../../internal/browser
)
