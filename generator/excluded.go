package generator

// excludedFiles is what is known of the files of a folder that are not part of
// this build.
type excludedFiles struct {
	docs     []*document // of which the syntax is known, and nothing is reported
	complete bool        // all files could be read
}

// excludedDocuments returns the documents in files of a folder that are not part
// of this build, and false if one cannot be read. Call it when all is loaded.
func (l *loaded) excludedDocuments(dir string) ([]*document, bool) {
	e, known := l.excluded[dir]
	if !known {
		e = l.readExcluded(dir)
		l.excluded[dir] = e
	}
	return e.docs, e.complete
}

func (l *loaded) readExcluded(dir string) (e excludedFiles) {
	parsed := l.parsed()
	for _, path := range goFiles(dir) {
		if parsed[path] || l.isOutput(path) {
			continue
		}
		text, err := readIfThere(path)
		if err != nil {
			return e
		}
		docs, ok := scanText(path, text)
		if !ok {
			return e
		}
		e.docs = append(e.docs, docs...)
	}
	e.complete = true
	return e
}

// parsed returns the paths of the files that are part of this build.
func (l *loaded) parsed() map[string]bool {
	if l.built == nil {
		l.built = make(map[string]bool)
		for _, u := range l.units {
			for _, f := range u.files {
				l.built[f.path] = true
			}
		}
	}
	return l.built
}
