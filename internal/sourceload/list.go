package sourceload

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// patience is how long the go command may take before List looks for a reason.
const patience = time.Second

// List does the work of [packages.Load]. The go command waits for ever at a pipe
// or a device that has the name of a Go file: List returns an error that names
// the file and matches [files.ErrOdd]. It looks for one when the go command takes
// more than a second, and at once where the syntax of packages is asked for,
// which takes long anyway.
func List(config *packages.Config, patterns ...string) ([]*packages.Package, error) {
	if config.Mode&packages.NeedSyntax != 0 {
		if err := look(config.Dir, patterns); err != nil {
			return nil, err
		}
		return packages.Load(config, patterns...)
	}
	ctx := config.Context
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found := make(chan error, 1)
	timer := time.AfterFunc(patience, func() {
		if err := look(config.Dir, patterns); err != nil {
			found <- err
			cancel(err)
		}
	})
	defer timer.Stop()
	watched := *config
	watched.Context = ctx
	pkgs, err := packages.Load(&watched, patterns...)
	select {
	case err := <-found:
		return nil, err
	default:
		return pkgs, err
	}
}

// look looks for odd files in the module of a folder, and in the folders that
// patterns name as paths, which need not be among those of the module.
func look(dir string, patterns []string) error {
	if err := files.CheckModule(dir); err != nil {
		return err
	}
	for _, pattern := range patterns {
		path := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
		if !filepath.IsAbs(path) {
			if !strings.HasPrefix(path, ".") {
				continue // an import path
			}
			path = filepath.Join(dir, path)
		}
		if err := files.CheckBelow(path); err != nil {
			return err
		}
	}
	return nil
}
