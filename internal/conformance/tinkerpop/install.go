package tinkerpop

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// Version is the version of the server.
const Version = "3.7.3"

// copyDependencies is the Maven goal that downloads the files.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

//go:embed server
var files embed.FS

// installed returns the folder with the server, which is installed once.
var installed = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum, err := fingerprint()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "pkgen", "gremlin-server-"+Version+"-"+sum[:16])
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(folder), "installing-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	if err := install(temporary); err != nil {
		return "", fmt.Errorf("install Gremlin Server %s: %w", Version, err)
	}
	if err := os.Rename(temporary, folder); err != nil {
		if _, there := os.Stat(folder); there != nil { // another process has installed it meanwhile
			return "", err
		}
	}
	return folder, nil
})

// fingerprint identifies the installed versions.
func fingerprint() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, "server", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// install downloads the server's files into a folder, and compiles ours.
func install(folder string) error {
	for _, name := range []string{"pom.xml", "java/CosmosAuthenticator.java", "java/CosmosSerializer.java", "java/CosmosStrategy.java"} {
		text, err := files.ReadFile("server/" + name)
		if err != nil {
			return err
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	jars := filepath.Join(folder, "jars")
	if err := run(folder, "mvn", "-B", "-q", "-f", "pom.xml", copyDependencies, "-DoutputDirectory="+jars, "-DincludeScope=runtime"); err != nil {
		return err
	}
	if err := check(jars); err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(folder, "java", "*.java"))
	if err != nil {
		return err
	}
	return run(folder, "javac", append([]string{"-nowarn", "--release", "11", "-cp", filepath.Join(jars, "*"), "-d", filepath.Join(folder, "classes")}, sources...)...)
}

func run(folder, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = folder
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%w: install a JDK and Maven, such as default-jdk-headless and maven of Debian", err)
		}
		return fmt.Errorf("%s: %w\n%s", name, err, out.String())
	}
	return nil
}

// check compares the files in a folder with their checksums.
func check(folder string) error {
	text, err := files.ReadFile("server/jars.sha256")
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var found []string
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		found = append(found, hex.EncodeToString(sum[:])+"  "+e.Name())
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	sort.Strings(found)
	sort.Strings(want)
	if strings.Join(found, "\n") != strings.Join(want, "\n") {
		return fmt.Errorf("the %d files from Maven Central are not the %d whose checksums server/jars.sha256 has", len(found), len(want))
	}
	return nil
}
