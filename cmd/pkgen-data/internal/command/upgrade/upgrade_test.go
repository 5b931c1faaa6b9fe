package upgrade

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// upgradeLock has a type with aliases, one with a schema number, and others.
const upgradeLock = `version 2

container notes
	path /id
	kind Hash
	version 2
	type Note {id}
		component id text

container orders
	path /tenantId
	kind Hash
	version 2
	type Order {tenantId} own=orders-{tenantId} alias=old=new
		component tenantId text

container people
	path /id
	kind Hash
	version 2
	type Person {id} alias=fullName=name
		component id text
	type Pet {id} as=pet schema=2,form
		component id text

container rows
	path /pk
	kind Hash
	version 2
	type Row {pk} api=table
		component pk text

end
`

// TestUpgradeCommand counts and rewrites documents.
func TestUpgradeCommand(t *testing.T) {
	r := rig.New(t, Command())
	if err := os.WriteFile(lock.FileName, []byte(upgradeLock), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Load("db", `{"id":"people","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		`{"id":"1","fullName":"a"}`, `{"id":"2","name":"b"}`, `{"id":"3","type":"pet"}`, `{"id":"4","type":"pet","form":2}`, `{"id":"5","type":"pet","form":3,"fullName":"x"}`)
	const of = "container people, type "
	for _, step := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"", 2, "", "the tenants of type Order move between containers"},
		{"-type Note", 2, "", "type Note has neither schema= with a number above 1 nor was= or next= on a property that had or gets another name"},
		{"-type None", 2, "", `has a type "None"`},
		{"-type Row", 2, "", "pkgen-data upgrade speaks the NoSQL API alone"},
		{"-container notes", 2, "", "there is nothing to upgrade"},
		{"-type Person -budget -1", 2, "", "-budget is a number of RU/s"},
		{"-type Person,Pet -dry-run", 1, of + "Person:\n  1 document with properties under aliases: run without -dry-run", ""},
		{"-type Person,Pet -budget 400", 1, of + "Pet:\n  1 document of form 1: call Upgrade of the repository, which brings them to form 2\n  1 document of a later form than 2", ""},
		{"-type Person", 0, of + "Person:\n  no document of an earlier release is left\n", ""},
		{"-container people -format json", 1, "{\n", ""},
		{"-type Person -container people -database none", 2, "", "none"},
	} {
		code, stdout, stderr := r.Run(append([]string{"upgrade"}, strings.Fields(step.args)...)...)
		if code != step.code || !strings.Contains(stdout, step.stdout) || !strings.Contains(stderr, step.stderr) || stderr != "" && step.stderr == "" {
			t.Errorf("pkgen-data upgrade %s: exit code %d\n%s\n%s", step.args, code, stdout, stderr)
		}
		if strings.HasPrefix(step.stdout, "{\n") && !json.Valid([]byte(stdout)) {
			t.Errorf("pkgen-data upgrade %s prints no JSON: %s", step.args, stdout)
		}
	}
}
