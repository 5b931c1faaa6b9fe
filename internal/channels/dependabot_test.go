package channels

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ecosystems has the ecosystem of Dependabot for the name of each manifest.
var ecosystems = map[string]string{
	"go.mod": "gomod", "package.json": "npm", "requirements.txt": "pip", "pom.xml": "maven", "Cargo.toml": "cargo", "Containerfile": "docker",
}

// TestDependabot finds the folder of each manifest in dependabot.yml, and a manifest in each
// folder there. The modules of .ci/modules are among them; those that a release tags are
// updated for their vulnerabilities alone.
func TestDependabot(t *testing.T) {
	type config struct {
		Version int
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
			Limit       *int `yaml:"open-pull-requests-limit"`
		}
	}
	listed := map[string]bool{} // an ecosystem, a colon, a folder; whether updates are for vulnerabilities alone
	for _, update := range readYAML[config](t, ".github/dependabot.yml").Updates {
		folders := update.Directories
		if update.Directory != "" {
			folders = append(folders, update.Directory)
		}
		for _, folder := range folders {
			name := update.Ecosystem + ":" + folder
			if _, twice := listed[name]; twice {
				t.Errorf("%s is there twice", name)
			}
			listed[name] = update.Limit != nil && *update.Limit == 0
		}
	}
	wanted := map[string]bool{"github-actions:/": true}
	for name := range strings.SplitSeq(strings.TrimSuffix(run(t, rootPath(t, "."), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00") {
		if ecosystem := ecosystems[path.Base(name)]; ecosystem != "" {
			wanted[ecosystem+":"+path.Join("/", path.Dir(name))] = true
		}
	}
	for line := range strings.Lines(readFile(t, ".ci/modules")) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(words) == 0 {
			continue
		}
		name := "gomod:/" + words[0]
		if !wanted[name] {
			t.Errorf(".ci/modules has %s, which has no go.mod", words[0])
		}
		if tagged := slices.Contains(words, "tagged"); listed[name] != tagged {
			t.Errorf("dependabot.yml updates %s for vulnerabilities alone: %v; a release tags it: %v", words[0], listed[name], tagged)
		}
	}
	if !listed["gomod:/"] {
		t.Error("dependabot.yml updates the root for more than vulnerabilities")
	}
	for name := range wanted {
		if _, ok := listed[name]; !ok {
			t.Errorf("dependabot.yml lacks %s", name)
		}
	}
	for name := range listed {
		if !wanted[name] {
			t.Errorf("dependabot.yml has %s, where there is no manifest", name)
		}
	}
}

var uses = regexp.MustCompile(`(?m)^\s*(?:- )?uses: +(\S+)(.*)$`)

// TestPinned finds the hash of a commit and a version in a comment after each action of the
// workflows, of action.yml and of docs/ci.md, one hash for each action. An action of this
// repository on a page has a tag.
func TestPinned(t *testing.T) {
	files, err := filepath.Glob(rootPath(t, ".github/workflows/*.yml"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	hashes := map[string]string{}
	for _, file := range append(files, rootPath(t, "action.yml"), rootPath(t, "docs/ci.md")) {
		for _, m := range uses.FindAllStringSubmatch(read(t, file), -1) {
			name, hash, _ := strings.Cut(m[1], "@")
			switch {
			case strings.HasPrefix(name, "./"), name == "cosmos-pkgen/pkgen" && hash == "v1.2.3":
			case !pinned.MatchString(m[1]) || !regexp.MustCompile(`^ # v\d+\.\d+\.\d+$`).MatchString(m[2]):
				t.Errorf("%s: %s is not pinned by the hash of a commit, with its version in a comment", file, m[0])
			case hashes[name] != "" && hashes[name] != hash:
				t.Errorf("%s: %s has another hash elsewhere", file, m[0])
			default:
				hashes[name] = hash
			}
		}
	}
}

// TestScorecard holds the workflow to what scorecard.dev accepts: no rights but the ones of its
// job, no environment, and no steps but of these actions.
func TestScorecard(t *testing.T) {
	type workflow struct {
		Permissions map[string]string
		Env         map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Uses, Run string }
		}
	}
	w := readYAML[workflow](t, ".github/workflows/scorecard.yml")
	if len(w.Permissions) != 0 || len(w.Env) != 0 || len(w.Jobs) != 1 {
		t.Errorf("it has permissions %v, an environment %v, and %d jobs", w.Permissions, w.Env, len(w.Jobs))
	}
	job := w.Jobs["run"]
	for name, right := range job.Permissions {
		if name+":"+right != "contents:read" && name+":"+right != "id-token:write" {
			t.Errorf("the job may %s %s", right, name)
		}
	}
	for _, step := range job.Steps {
		name, _, _ := strings.Cut(step.Uses, "@")
		if step.Run != "" || !slices.Contains([]string{"actions/checkout", "ossf/scorecard-action", "actions/upload-artifact"}, name) {
			t.Errorf("it runs %s%s", step.Uses, step.Run)
		}
	}
}
