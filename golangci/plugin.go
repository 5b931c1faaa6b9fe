// Package golangci reports the findings of pkgen vet in golangci-lint, as a module plugin:
// golangci-lint custom builds a golangci-lint with this package. docs/ci.md has the two files
// that it needs.
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

// New returns the linter. Settings for it in the configuration are an error.
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

// BuildAnalyzers returns the only analyzer.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{vet.Analyzer}, nil
}

// GetLoadMode returns that the analyzer needs types.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
