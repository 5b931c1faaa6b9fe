package vet

import "testing"

func TestVersionIn(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a/go/pkg/mod/github.com/cosmos-pkgen/pkgen@v1.2.3/repository/field.go": "v1.2.3",
		`C:\go\pkg\mod\github.com\cosmos-pkgen\pkgen@v0.1.0-rc.1\repository\field.go`: "v0.1.0-rc.1",
		"/src/vendor/github.com/cosmos-pkgen/pkgen/repository/field.go":               "",
		"/src/pkgen/repository/field.go":                                              "",
	} {
		if got := versionIn(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestRemedy(t *testing.T) {
	for _, same := range [][2]string{{"", "v1.0.0"}, {"v1.0.0", ""}, {"v1.0.0", "v1.0.0"}} {
		if got := remedy(same[0], same[1]); got != "run pkgen" {
			t.Errorf("%v: %s", same, got)
		}
	}
	const want = "the module uses pkgen v1.0.0, and this check has version v1.1.0: use the same version, and run pkgen"
	if got := remedy("v1.1.0", "v1.0.0"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
