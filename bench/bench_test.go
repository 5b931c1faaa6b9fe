package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// corpus writes a module of some packages with some document types each, and
// returns its folder.
func corpus(b *testing.B, folders, types int) string {
	b.Helper()
	dir := b.TempDir()
	write(b, filepath.Join(dir, "go.mod"), "module example.com/corpus\n\ngo 1.25.0\n")
	for folder := range folders {
		var text strings.Builder
		fmt.Fprintf(&text, "package docs\n\nimport (\n\t\"net/http\"\n\t\"time\"\n)\n\nfunc Serve(http.ResponseWriter, *http.Request) {}\n")
		for i := range types {
			fmt.Fprintf(&text, "\ntype Doc%d struct {\n\tID string `json:\"id\"`\n\tAt time.Time `json:\"at\" cosmos:\"pk,concat,format=day\"`\n\tDevice string `json:\"device\" cosmos:\"pk,concat\"`\n}\n", i)
		}
		write(b, filepath.Join(dir, fmt.Sprintf("docs%d", folder), "docs.go"), text.String())
	}
	return dir
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLoad measures runs over packages that import net/http and have been
// generated: with one document nearly all of it is the go command. A run that
// remembers what it has formatted is compared with one that does not.
func BenchmarkLoad(b *testing.B) {
	for _, size := range []struct{ folders, types int }{{1, 1}, {1, 50}, {100, 1}} {
		dir := corpus(b, size.folders, size.types)
		for _, way := range []struct{ name, cache string }{{"formats", ""}, {"remembers", b.TempDir()}} {
			b.Run(fmt.Sprintf("packages=%d/types=%d/%s", size.folders, size.types, way.name), func(b *testing.B) {
				options := generator.Options{Dir: dir, Patterns: []string{"./..."}, CacheDir: way.cache}
				result, err := generator.Generate(context.Background(), options)
				if err != nil || result.Commit() != nil || len(result.Types) != size.folders*size.types {
					b.Fatal(err, result)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := generator.Generate(context.Background(), options); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkRender measures the rendering of one type.
func BenchmarkRender(b *testing.B) {
	result, err := generator.Generate(context.Background(), generator.Options{Dir: corpus(b, 1, 1), Patterns: []string{"./..."}})
	if err != nil || len(result.Types) != 1 {
		b.Fatalf("%v, %v", err, result.Err())
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := templates.Render(result.Types[0].Model); err != nil {
			b.Fatal(err)
		}
	}
}
