package generator

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUntaggedDocument embeds a struct with tags in one without. The advice is
// about the latter, and following it leads to a document.
func TestUntaggedDocument(t *testing.T) {
	for name, c := range map[string]struct{ source, want, tagged string }{
		"the base has the id": {
			"package x\n\ntype Base struct {\n\tID     string `json:\"id\" cosmos:\"id\"`\n\tTenant string `json:\"tenant\"`\n}\n\ntype Order struct {\n\tBase\n\tTotal int `json:\"total\"`\n}\n",
			"type Base has no partition key, and Order, which embeds it, has no cosmos tags",
			"type Order struct {\n\t_ struct{} `cosmos:\"key={Tenant}\"`\n",
		},
		"the base has the key": {
			"package x\n\ntype Base struct {\n\tTenant string `json:\"tenant\" cosmos:\"pk\"`\n}\n\ntype Order struct {\n\t*Base\n\tID string `json:\"id\"`\n}\n",
			"type Base has no id, and Order, which embeds it, has no cosmos tags",
			"type Order struct {\n\t_ struct{} `cosmos:\"container=orders\"`\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, nil)
			path := filepath.Join(dir, "x.go")
			write(t, path, []byte(c.source))
			result, err := Generate(t.Context(), Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := result.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			write(t, path, []byte(strings.Replace(c.source, "type Order struct {\n", c.tagged, 1)))
			result, err = Generate(t.Context(), Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := result.Err(); err != nil || len(result.Types) != 1 || result.Types[0].Model.Name != "Order" {
				t.Errorf("with the advice: %v, %d types", err, len(result.Types))
			}
		})
	}
}
