// Package golangci makes the findings of pkgen vet findings of golangci-lint, by its module
// plugin system: golangci-lint custom builds a golangci-lint that has this package in it.
// docs/ci.md has the two files that it takes.
//
// It registers the linter pkgen, which is [vet.Analyzer]. The linter has no settings.
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/cosmos-pkgen/pkgen/generator/vet"
)

func init() { register.Plugin(vet.Analyzer.Name, New) } //nolint:gochecknoinits // golangci-lint asks for it

// New returns the linter. It is an error if the configuration has settings for it.
func New(settings any) (register.LinterPlugin, error) {
	if settings == nil {
		return plugin{}, nil
	}
	if _, err := register.DecodeSettings[struct{}](settings); err != nil {
		return nil, fmt.Errorf("the linter %s has no settings: remove them: %w", vet.Analyzer.Name, err)
	}
	return plugin{}, nil
}

type plugin struct{}

// BuildAnalyzers returns the one analyzer.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{vet.Analyzer}, nil
}

// GetLoadMode says that the analyzer needs types.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
