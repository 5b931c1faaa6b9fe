package untyped

import "github.com/cosmos-pkgen/pkgen/repository/internal/migration"

// Face is embedded by the documents of programs, in an unexported field. It gives other
// packages of the run time, but not programs, access to the documents without types.
type Face struct{ documents *Documents }

// FaceOf returns the face of d.
func FaceOf(d *Documents) Face { return Face{d} }

func (f Face) untyped() *Documents { return f.documents }

// Of returns the documents of a face.
func Of(face interface{ untyped() *Documents }) *Documents { return face.untyped() }

// MigrationFace is [Face] for a migration between two containers.
type MigrationFace struct {
	migration *migration.Migration
	old       *Documents
}

// FaceOfMigration returns the face of a migration from old.
func FaceOfMigration(m *migration.Migration, old *Documents) MigrationFace {
	return MigrationFace{m, old}
}

func (f MigrationFace) between() (*migration.Migration, *Documents) { return f.migration, f.old }

// OfMigration returns the migration of a face, and the documents of the old container.
func OfMigration(face interface {
	between() (*migration.Migration, *Documents)
}) (*migration.Migration, *Documents) {
	return face.between()
}
