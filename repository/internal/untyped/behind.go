package untyped

import "github.com/cosmos-pkgen/pkgen/repository/internal/migration"

// Face is embedded by what programs see of documents, under a name that is not exported. By
// it other rooms of the run time reach what is behind, and programs do not.
type Face struct{ documents *Documents }

// FaceOf returns the part of a face that leads to d.
func FaceOf(d *Documents) Face { return Face{d} }

func (f Face) behind() *Documents { return f.documents }

// Behind returns the documents behind a face.
func Behind(face interface{ behind() *Documents }) *Documents { return face.behind() }

// MigrationFace is [Face] of a migration between two containers.
type MigrationFace struct {
	migration *migration.Migration
	old       *Documents
}

// FaceOfMigration returns the part of a face that leads to a migration.
func FaceOfMigration(m *migration.Migration, old *Documents) MigrationFace {
	return MigrationFace{m, old}
}

func (f MigrationFace) behindMigration() (*migration.Migration, *Documents) {
	return f.migration, f.old
}

// BehindMigration returns the migration behind a face, and the documents of the old container.
func BehindMigration(face interface {
	behindMigration() (*migration.Migration, *Documents)
}) (*migration.Migration, *Documents) {
	return face.behindMigration()
}
