package repository_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A note has the layout {topic}-{title|lower} of two free texts, in which
// different notes can have one partition key.
type note struct {
	ID    string `json:"id"`
	Topic string `json:"topic"`
	Title string `json:"title"`
	Text  string `json:"text"`
	ETag  string `json:"_etag,omitempty"`
}

type noteKey struct{ ID, Topic, Title string }

func (n *note) key() noteKey { return noteKey{n.ID, n.Topic, n.Title} }

func (k noteKey) PartitionKey() string {
	b := append([]byte(k.Topic), '-')
	return string(partition.AppendLower(b, k.Title))
}

func (k noteKey) Validate() error {
	return partition.Check("note",
		partition.ID(k.ID),
		partition.Text("Topic", k.Topic),
		partition.LowerText("Title", k.Title),
		partition.Key(k.PartitionKey()),
	)
}

// unverifiedNotes is the model of the layout as if keys could not collide.
var unverifiedNotes = generated.Model[note, noteKey]{
	Type:      "note",
	Path:      "/partitionKey",
	Key:       (*note).key,
	ID:        func(k noteKey) string { return k.ID },
	Text:      noteKey.PartitionKey,
	Synthetic: true,
	ETag:      func(n *note) *string { return &n.ETag },
}

var noteModel = func() generated.Model[note, noteKey] {
	m := unverifiedNotes
	m.Ambiguous = true
	m.Same = func(a, b noteKey) bool {
		return a.Topic == b.Topic && string(partition.AppendLower(nil, a.Title)) == string(partition.AppendLower(nil, b.Title))
	}
	return m
}()

type notes struct {
	*repository.Documents[note, noteKey]
}

func (r notes) byTopicAndTitle(topic, title string) repository.Query[note] {
	key := noteKey{Topic: topic, Title: title}
	return repository.NewQuery(r.Documents, generated.Partition(key.PartitionKey(),
		partition.Text("Topic", topic),
		partition.LowerText("Title", title),
	).Where("/topic", topic).WhereFold("/title", title))
}

// newNotes is an empty container of notes, whose client has the policies given
// before its retries.
func newNotes(t testing.TB, perCall ...policy.Policy) (*harness.Account, notes) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, noteContainer, repository.Configure(harness.Impatient(perCall...)))
	return server, notes{repository.New(container, &noteModel)}
}

var noteContainer = harness.Properties("notes", "/partitionKey")
