package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// verifying holds the flags of pkgen verify.
type verifying struct {
	container, database, types *string
	sample, budget, rate       *float64
	seed                       *uint64
	format                     *choice
	mend                       *bool
}

// bindVerify is pkgen verify.
func bindVerify(flags *flag.FlagSet) action {
	v := &verifying{
		container: flags.String("container", "", "only the container with this `id`"),
		database:  flags.String("database", "", "the database with this `id`; needed if several have the container"),
		types:     flags.String("type", "", "only the containers of these types, a comma-separated `list`"),
		sample:    flags.Float64("sample", 100, "read this `percentage` of the keys of each container"),
		budget:    flags.Float64("budget", 0, "spend these `RU` on a container; 0 is no limit"),
		rate:      flags.Float64("rate", 0, "spend so many `RU/s` at most; 0 is no limit"),
		seed:      flags.Uint64("seed", 0, "choose the sample by this `number`; 0: anew each time"),
		mend:      flags.Bool("mend", false, "put reservations of unique values right"),
		format:    newChoice(flags, "format", formatText, "how findings are printed", formatText, formatJSON, formatGitHub),
	}
	return v.run
}

// run verifies the containers of packages.
func (v *verifying) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	reports, err := v.verify(ctx, args, stderr)
	if len(reports) > 0 || err == nil {
		err = errors.Join(printReports(stdout, v.format.value, reports), err)
	}
	if err != nil {
		return fail(stderr, err)
	}
	for _, r := range reports {
		if r.Findings() > 0 {
			return exitStale
		}
	}
	return exitDone
}

// verify reads the containers. If there is an error, it returns the reports of those
// that have been read: a container that is not there does not hide another one.
func (v *verifying) verify(ctx context.Context, patterns []string, stderr io.Writer) ([]*verify.Report, error) {
	sampling, err := samplingOf(*v.sample, *v.budget, *v.rate, *v.seed)
	if err != nil {
		return nil, err
	}
	containers, err := v.containers(ctx, patterns)
	if err != nil {
		return nil, err
	}
	a, err := openAccount()
	if err != nil {
		return nil, err
	}
	a.Pace(*v.rate)
	if containers, err = v.existing(ctx, a, containers); err != nil {
		return nil, err
	}
	reports := []*verify.Report{}
	var missing, skipped error
	for _, c := range containers {
		judge, err := verify.New(c.entries)
		if err != nil {
			return reports, errors.Join(missing, err)
		}
		judge.Mend = *v.mend
		report, err := v.read(ctx, a, judge, c.id, sampling, stderr)
		switch {
		case err == nil:
			reports = append(reports, report)
		case !account.NotFound(err):
			return reports, errors.Join(missing, err)
		case v.expects(c.entries):
			missing = errors.Join(missing, err)
		default:
			skipped = errors.Join(skipped, err)
			fmt.Fprintf(stderr, "container %s is not there, and its types are drafts or gone\n", plain.Word(c.id))
		}
	}
	if len(reports) == 0 {
		return nil, errors.Join(missing, skipped)
	}
	return reports, missing
}

// expects reports whether the container of some types must be there: somebody asks for
// it, or documents of it may be stored.
func (v *verifying) expects(entries []lock.Entry) bool {
	return *v.container != "" || *v.types != "" ||
		slices.ContainsFunc(entries, func(e lock.Entry) bool { return !e.Draft && !e.Gone })
}

// read reads one container.
func (v *verifying) read(ctx context.Context, a *account.Account, judge *verify.Judge, id string, sampling account.Sampling, stderr io.Writer) (*verify.Report, error) {
	var documents atomic.Int64
	sampling.Told = documents.Store
	defer progressOf(stderr, func() string {
		return fmt.Sprintf("reading container %s: %d documents", plain.Word(id), documents.Load())
	})()
	c, err := a.Find(ctx, *v.database, id)
	if err != nil {
		return nil, err
	}
	return judge.Container(ctx, a, c, sampling)
}

// verified is a container, and the types that are stored there.
type verified struct {
	id      string // or a template of ids
	entries []lock.Entry
}

// existing returns containers with those that the database has in place of each template,
// and the own ones of tenants after the one that they share.
func (v *verifying) existing(ctx context.Context, a *account.Account, containers []verified) ([]verified, error) {
	var out []verified
	var ids []string
	for _, c := range containers {
		first := c.entries[0]
		template := layout.OwnContainersOf
		if first.Placed() && c.id == first.Container {
			template = layout.ContainersOf
		} else {
			out = append(out, c)
		}
		of, err := template(first)
		if err != nil {
			return nil, err
		}
		if of == nil || *v.container != "" && !first.Placed() {
			continue
		}
		if ids == nil {
			if ids, err = a.Containers(ctx, *v.database); err != nil {
				return nil, err
			}
			slices.Sort(ids)
		}
		for _, id := range ids {
			if of.Hold(id) {
				out = append(out, verified{id, c.entries})
			}
		}
	}
	return out, nil
}

// containers returns the containers that the locks of packages have and the flags choose,
// by their ids.
func (v *verifying) containers(ctx context.Context, patterns []string) ([]verified, error) {
	all, err := readLocks(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if all, err = verifySpeaks.ours(all, split(*v.types), *v.container); err != nil {
		return nil, err
	}
	if a, b, conflict := all.Conflict(); conflict {
		return nil, fmt.Errorf("types %s and %s are in container %q, and their locks do not agree on its partition key: name the packages of one database", a.Type, b.Type, a.Container)
	}
	names, err := namesIn(all, *v.types)
	if err != nil {
		return nil, err
	}
	var ids []string
	if *v.container != "" && !slices.ContainsFunc(all, func(e lock.Entry) bool { return e.Container == *v.container }) {
		return v.window(all, names)
	}
	for _, e := range all {
		chosen := (*v.container == "" || e.Container == *v.container) && (len(names) == 0 || slices.Contains(names, e.Type))
		if chosen && !slices.Contains(ids, e.Container) {
			ids = append(ids, e.Container)
		}
	}
	if len(ids) == 0 {
		return nil, errNoSuchContainer
	}
	slices.Sort(ids)
	containers := make([]verified, len(ids))
	for i, id := range ids {
		containers[i].id = id
		for _, e := range all {
			if e.Container == id {
				containers[i].entries = append(containers[i].entries, e)
			}
		}
	}
	return containers, nil
}

var errNoSuchContainer = fmt.Errorf("no %s of the packages has such a container, or not for these types: name the packages whose types are stored there, and check -container and -type", lock.FileName)

// window returns the container of -container, whose id a template makes.
func (v *verifying) window(all lock.Lock, names []string) ([]verified, error) {
	entries, err := layout.InContainer(all, *v.container)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 || len(names) > 0 && !slices.ContainsFunc(entries, func(e lock.Entry) bool { return slices.Contains(names, e.Type) }) {
		return nil, errNoSuchContainer
	}
	return []verified{{*v.container, entries}}, nil
}

// readLocks returns the entries of the locks of packages.
func readLocks(ctx context.Context, patterns []string) (lock.Lock, error) {
	folders, err := packageFolders(ctx, patterns)
	if err != nil {
		return nil, err
	}
	var all lock.Lock
	for _, folder := range folders {
		entries, err := readLock(filepath.Join(folder, lock.FileName))
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return all, nil
}

// namesIn returns the types of a list, which some entries must have.
func namesIn(all lock.Lock, list string) ([]string, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("no package has a %s: name packages whose code has been generated", lock.FileName)
	}
	names := split(list)
	for _, name := range names {
		if !slices.ContainsFunc(all, func(e lock.Entry) bool { return e.Type == name }) {
			return nil, fmt.Errorf("no %s of the packages has a type %q: check -type, and name its package", lock.FileName, name)
		}
	}
	return names, nil
}

// readLock returns the entries of a lock; none if there is no file.
func readLock(path string) (lock.Lock, error) {
	text, err := files.ReadIfThere(path)
	if err != nil || text == nil {
		return nil, err
	}
	entries, problem := lock.Parse(text)
	if problem != nil {
		return nil, fmt.Errorf("%s: %w", shown(path), problem)
	}
	return entries, nil
}

// packageFolders returns the folders of packages. Their code is not looked at.
func packageFolders(ctx context.Context, patterns []string) ([]string, error) {
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

// printReports prints reports in a format.
func printReports(w io.Writer, format string, reports []*verify.Report) error {
	if format == formatJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		return encoder.Encode(reports)
	}
	for _, r := range reports {
		text := reportText(r)
		if format == formatGitHub {
			text = reportCommands(r)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}
