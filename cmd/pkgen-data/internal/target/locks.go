package target

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// ReadLocks returns the entries of the locks of packages.
func ReadLocks(ctx context.Context, patterns []string) (lock.Lock, error) {
	folders, err := PackageFolders(ctx, patterns)
	if err != nil {
		return nil, err
	}
	var all lock.Lock
	for _, folder := range folders {
		entries, err := ReadLock(filepath.Join(folder, lock.FileName))
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return all, nil
}

// NamesIn splits a list of types, each of which must be in the lock.
func NamesIn(all lock.Lock, list string) ([]string, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("no package has a %s: name packages whose code has been generated", lock.FileName)
	}
	names := cli.SplitList(list)
	for _, name := range names {
		if !slices.ContainsFunc(all, func(e lock.Entry) bool { return e.Type == name }) {
			return nil, fmt.Errorf("no %s of the packages has a type %q: check -type, and name its package", lock.FileName, name)
		}
	}
	return names, nil
}

// ReadLock returns the entries of a lock; none if the file does not exist.
func ReadLock(path string) (lock.Lock, error) {
	text, err := files.ReadIfThere(path)
	if err != nil || text == nil {
		return nil, err
	}
	entries, problem := lock.Parse(text)
	if problem != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(path), problem)
	}
	return entries, nil
}

// PackageFolders returns the folders of packages, without reading their code.
func PackageFolders(ctx context.Context, patterns []string) ([]string, error) {
	args := append([]string{"list", "-e", "-find", "-f", "{{.Dir}}", "--"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // after "--" there are patterns alone
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(problem.String()))
	}
	var folders []string
	for line := range strings.Lines(string(out)) {
		if folder := strings.TrimSpace(line); folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders, nil
}
