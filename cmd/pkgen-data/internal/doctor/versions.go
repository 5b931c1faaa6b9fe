package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// The modules that generated code needs.
const (
	ownModule = "github.com/cosmos-pkgen/pkgen"
	sdkModule = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Programs are the versions in the running command; "" is unknown.
type Programs struct {
	Own string // of this module
	SDK string // of azcosmos, the tested version
	Go  string // including the platform
}

// module is the output of go list -m for a module.
type module struct {
	Path    string  `json:"Path"`
	Version string  `json:"Version"`
	Main    bool    `json:"Main"`
	Replace *module `json:"Replace"`
	Error   *struct {
		Err string `json:"Err"`
	} `json:"Error"`
}

// String returns the version.
func (m *module) String() string {
	switch {
	case m.Main:
		return "this source tree"
	case m.Replace != nil && m.Replace.Version != "":
		return "replaced by version " + m.Replace.Version
	case m.Replace != nil:
		return "replaced by a folder"
	}
	return m.Version
}

// Versions compares the versions in the command with those in the module of the current folder. It
// runs the go command, which needs no network for modules in the cache.
func Versions(ctx context.Context, mine Programs, r *Report) {
	own, sdk, err := modules(ctx)
	if err != nil {
		r.add(Unknown, "versions", "run doctor in the module that uses pkgen", "this command is pkgen %s (%s); %v", orUnknown(mine.Own), mine.Go, err)
		return
	}
	compare(r, mine, own, sdk)
}

// compare compares the versions of modules, which are nil if missing.
func compare(r *Report, mine Programs, own, sdk *module) {
	switch {
	case own == nil:
		r.add(Wrong, "version of pkgen", "go get "+ownModule, "go.mod does not have it; this command is %s (%s)", orUnknown(mine.Own), mine.Go)
	case mine.Own != "" && own.Replace == nil && !own.Main && own.Version != mine.Own:
		r.add(Wrong, "version of pkgen", "generated code needs package repository of the same version: run the version of go.mod by go tool pkgen, and generate", "go.mod has %s, and this command is %s (%s)", own, mine.Own, mine.Go)
	default:
		r.add(OK, "version of pkgen", "", "go.mod: %s; this command: %s (%s)", own, orUnknown(mine.Own), mine.Go)
	}
	switch {
	case sdk == nil:
		r.add(Wrong, "version of azcosmos", "go get "+sdkModule+", which generated code for the API for NoSQL imports", "go.mod does not have it")
	case mine.SDK != "" && sdk.Replace == nil && sdk.Version != mine.SDK:
		r.add(Note, "version of azcosmos", "pkgen is tested with "+mine.SDK+": if something looks wrong, try that version first", "go.mod has %s", sdk)
	default:
		r.add(OK, "version of azcosmos", "", "%s", sdk)
	}
}

func orUnknown(version string) string {
	if version == "" {
		return "of unknown version"
	}
	return version
}

// modules returns the modules in the build list of the current folder; nil if missing.
func modules(ctx context.Context) (own, sdk *module, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-e", "-json", ownModule, sdkModule)
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n")
		return nil, nil, fmt.Errorf("go list -m: %w: %s", err, line)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		m := &module{}
		if err := decoder.Decode(m); errors.Is(err, io.EOF) {
			return own, sdk, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list -m: %w", err)
		}
		switch {
		case m.Error != nil:
		case m.Path == ownModule:
			own = m
		case m.Path == sdkModule:
			sdk = m
		}
	}
}
