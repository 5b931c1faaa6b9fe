package channels

import (
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestPage reads the files in docs/ci.md: inputs of the action and hooks that they name exist,
// and the page has each of them.
func TestPage(t *testing.T) {
	page := readFile(t, "docs/ci.md")
	a := readYAML[action](t, "action.yml")
	hooks := map[string]bool{}
	for _, h := range readYAML[[]hook](t, ".pre-commit-hooks.yaml") {
		hooks[h.ID] = false
		if !strings.Contains(page, "`"+h.ID+"`") {
			t.Errorf("docs/ci.md does not say what %s does", h.ID)
		}
	}
	for name := range a.Inputs {
		if !strings.Contains(page, "\n| `"+name+"` |") {
			t.Errorf("docs/ci.md has no row for the input %s", name)
		}
	}
	names := map[string]bool{}
	for _, block := range regexp.MustCompile("(?ms)^```yaml\n# (\\S+)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		names[block[1]] = true
		var file struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]string
				}
			}
			Repos []struct {
				Hooks []struct{ ID string }
			}
		}
		if err := yaml.Unmarshal([]byte(block[2]), &file); err != nil {
			t.Errorf("%s: %v", block[1], err)
		}
		for _, job := range file.Jobs {
			for _, step := range job.Steps {
				for input := range step.With {
					if _, ok := a.Inputs[input]; !ok && strings.HasPrefix(step.Uses, "cosmos-pkgen/") {
						t.Errorf("%s: there is no input %s", block[1], input)
					}
				}
			}
		}
		for _, repo := range file.Repos {
			for _, h := range repo.Hooks {
				if _, ok := hooks[h.ID]; !ok {
					t.Errorf("%s: there is no hook %s", block[1], h.ID)
				}
			}
		}
	}
	if len(names) != 5 {
		t.Errorf("docs/ci.md has the files %v", names)
	}
	for _, schema := range regexp.MustCompile(`\(schemas/([\w-]+)\.schema\.json\)`).FindAllStringSubmatch(page, -1) {
		readFile(t, "docs/schemas/"+schema[1]+".schema.json")
	}
}
