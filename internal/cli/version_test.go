package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":             {Main: debug.Module{Version: "v1.2.3"}},
		"(devel)":            {Main: debug.Module{Version: "(devel)"}},
		"of unknown version": nil,
	} {
		if got := versionOf(info); got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
}
