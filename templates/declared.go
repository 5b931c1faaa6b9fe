package templates

// Names returns every identifier that the file of t declares in its package, in
// the order of the file.
func (t *Type) Names() []string {
	names := []string{t.layoutName()}
	if t.Prefix != "" {
		names = append(names, t.prefixName())
	}
	if t.NoMethods {
		names = append(names, t.keyOfName())
	}
	names = append(names, t.keyName())
	if t.Parsed {
		names = append(names, t.parseName())
	}
	names = append(names, t.fieldsName())
	names = append(names, typeNames(t.fieldReferences())...)
	if patches := t.patchReferences(); len(patches) > 0 {
		names = append(names, t.patchName())
		names = append(names, typeNames(patches)...)
	}
	names = append(names, t.containerName())
	if t.Containers != nil {
		names = append(names, t.propertiesName())
	}
	names = append(names, t.ensureName(), t.modelName())
	if t.window() != nil {
		names = append(names, t.windowsName(), t.ensureWindowsName())
	}
	names = append(names, t.repositoryName(), t.constructorName())
	if t.Tenant != nil {
		names = append(names, t.tenantName())
	}
	if t.Former != nil {
		if f := newMigration(t); !f.covered() {
			names = append(names, t.migrationKeyName())
		}
		names = append(names, t.migrationName(), t.newMigrationName())
	}
	return names
}
