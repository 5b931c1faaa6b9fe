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
		{"-type Note", 2, "", "type Note has neither schema= with a number above 1 nor was= or next= on a renamed property"},
		{"-type None", 2, "", `has a type "None"`},
		{"-type Row", 2, "", "pkgen-data upgrade supports only the NoSQL API"},
		{"-container notes", 2, "", "nothing to upgrade"},
		{"-type Person -budget -1", 2, "", "-budget is negative: give a number of RU/s"},
		{"-type Person,Pet -dry-run", 1, of + "Person:\n  1 document with properties under aliases: run without -dry-run", ""},
		{"-type Person,Pet -budget 400", 1, of + "Pet:\n  1 document of form 1: call Upgrade of the repository, which converts them to form 2\n  1 document of a form later than 2", ""},
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

// TestUpgradeNextForm runs while programs of two releases run: of one that reads the next
// form, and of one that writes it. Documents of both forms stay in their forms, and lose the
// former name only where the release of the lock writes them.
func TestUpgradeNextForm(t *testing.T) {
	r := rig.New(t, Command())
	write := func(words string) {
		t.Helper()
		text := "version 2\n\ncontainer cards\n\tpath /id\n\tkind Hash\n\tversion 2\n\ttype Card {id} " + words + "\n\t\tcomponent id text\n\nend\n"
		if err := os.WriteFile(lock.FileName, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.Load("db", `{"id":"cards","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		`{"id":"1","title":"a"}`, `{"id":"2","v":1,"title":"b"}`, `{"id":"3","v":2,"title":"c"}`, `{"id":"4","v":2,"label":"d"}`, `{"id":"5","v":3,"title":"e"}`)
	for _, step := range []struct {
		lock           string
		code           int
		stdout, stderr string
	}{
		{"schema=1+2,v", 2, "", "type Card has neither schema= with a number above 1"},
		{"schema=1+2,v alias=title=label", 0, "container cards, type Card:\n" +
			"  2 documents of form 2, stored by the next release: nothing to do\n" +
			"  1 document of a form later than 2, unknown to these packages: deploy the newer release\n" +
			"  2 documents with properties under aliases, 2 rewritten\n  no document of an earlier release is left\n", ""},
		{"schema=2,v alias=title=label", 1, "container cards, type Card:\n" +
			"  2 documents of form 1: call Upgrade of the repository, which converts them to form 2\n" +
			"  1 document of a form later than 2, unknown to these packages: deploy the newer release\n" +
			"  1 document with properties under aliases, 1 rewritten\n", ""},
		{"schema=2+3,v", 1, "container cards, type Card:\n" +
			"  2 documents of form 1: call Upgrade of the repository, which converts them to form 2\n" +
			"  1 document of form 3, stored by the next release: nothing to do\n", ""},
	} {
		write(step.lock)
		code, stdout, stderr := r.Run("upgrade", "-type", "Card")
		if i := strings.LastIndex(strings.TrimSuffix(stdout, "\n"), "\n"); i >= 0 {
			stdout = stdout[:i+1] // without what it cost
		}
		if code != step.code || stdout != step.stdout || !strings.Contains(stderr, step.stderr) {
			t.Errorf("%s: exit code %d\n%s\n%s", step.lock, code, stdout, stderr)
		}
	}
}
