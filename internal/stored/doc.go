// Package stored has tests that read what earlier commits have stored.
//
// Each folder below testdata is a generation: what one commit stored during operations of
// several requests, such as Rekey, MoveAll, MoveTenant or a write of a unique value, stopped
// after each request that changed something. The tests open each of these states as the data
// folder of an emulator, read it by the present code, and end the operation. testdata/README.md
// describes the files; docs/decisions/stored-data.md says when a new generation is recorded.
//
// The types are those of two releases of one program: package first, and package second, whose
// rides have more buckets and whose users have another form.
package stored
