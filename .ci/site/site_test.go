// Package site builds the site as .ci/site/build does, and looks at it in a browser.
package site

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cosmos-pkgen/pkgen/internal/browser"
)

// TestSite opens every page on a wide and a narrow screen: no page is wider than the screen, and
// none sends a request to another server. The search finds a word of a tag, and the colours are
// the system's.
func TestSite(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "./build", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	quiet := browser.Strict(func(url string) bool {
		return strings.HasPrefix(url, server.URL) || strings.HasPrefix(url, "data:") || strings.HasPrefix(url, "blob:"+server.URL)
	})
	pages := pagesOf(t, folder)
	if len(pages) < 50 {
		t.Fatalf("there are only the pages %q", pages)
	}
	for chunk := range slices.Chunk(pages, 15) { // a tab has two minutes
		t.Run(chunk[0], func(t *testing.T) {
			b := browser.Open(t, 1280, "light", quiet)
			for _, page := range chunk {
				b.Navigate(server.URL + page)
				b.Until(`location.pathname === ` + browser.Quote(page) + ` && document.readyState === 'complete' && document.querySelector('h1')`)
				for _, width := range []int64{1280, 390} {
					b.Look(width, "light")
					if is := browser.Value[int64](b, `document.documentElement.scrollWidth`); is > width {
						t.Errorf("%s is %d pixels wide on a screen of %d", page, is, width)
					}
				}
			}
		})
	}
	for _, screen := range []struct {
		width           int64
		system, colours string
	}{{1280, "light", "default"}, {390, "dark", "slate"}} {
		t.Run("search "+screen.system, func(t *testing.T) {
			b := browser.Open(t, screen.width, screen.system, quiet)
			b.Navigate(server.URL + "/docs/tags.html")
			b.Until(`document.readyState === 'complete' && document.body.dataset.mdColorScheme === ` + browser.Quote(screen.colours))
			b.Picture("tags-" + screen.system)
			b.Run(chromedp.Evaluate(`document.getElementById('__search').checked || document.querySelector('label[for=__search]').click()`, nil))
			b.Run(chromedp.SendKeys(`[data-md-component=search-query]`, "hashsuffix", chromedp.ByQuery))
			b.Until(`[...document.querySelectorAll('.md-search-result__link')].some(a => a.href.includes('docs/tags.html'))`)
			b.Picture("search-" + screen.system)
		})
	}
}

// pagesOf returns the paths of all pages.
func pagesOf(t *testing.T, folder string) (pages []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" && path != "404.html" {
			pages = append(pages, "/"+strings.TrimSuffix(path, "index.html")) // to which a server leads
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
