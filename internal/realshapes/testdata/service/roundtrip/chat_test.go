package roundtrip

import (
	"encoding/json"
	"testing"

	"example.com/platform"
	"example.com/service/chat"
)

func TestChat(t *testing.T) {
	db := database(t)
	t.Run("Conversation", func(t *testing.T) {
		r, c := in(t, db, chat.EnsureConversationContainer, chat.NewConversationRepository)
		d := &chat.Conversation{ID: "c1", Email: "Ann@Example.COM", Title: "<b>&\u2028"}
		run(t, c, r, d.Key(), trip[chat.Conversation]{
			document: d, key: `["ann@example.com"]`, query: r.ByEmail("ANN@example.com"),
			changes: list(chat.ConversationPatch.Ended.Set(at), chat.ConversationPatch.Meta.Set(map[string]any{"n": []int{1}})),
			changed: func(d *chat.Conversation) { d.Ended, d.Meta = &at, map[string]any{"n": []int{1}} },
		})
	})
	t.Run("Message", func(t *testing.T) {
		r, c := in(t, db, chat.EnsureMessageContainer, chat.NewMessageRepository)
		conversation := chat.ULID{0x01, 0x8f, 15: 0xff}
		d := &chat.Message{
			Expiring: platform.Expiring{Document: platform.Document{ID: "m1"}}, ConversationID: conversation, Channel: "a/b",
			Parts: []json.RawMessage{json.RawMessage(`"hi"`), nil},
		}
		d.Tokens.In = 3
		run(t, c, r, d.Key(), trip[chat.Message]{
			document: d, key: `["018F00000000000000000000000000FF/a%2Fb"]`, query: r.ByConversationIDAndChannel(conversation, "a/b"),
			changes: list(chat.MessagePatch.Parts.Append(json.RawMessage(`{"x":1}`)), chat.MessagePatch.Tokens.Out.Increment(4)),
			changed: func(d *chat.Message) { d.Parts, d.Tokens.Out = append(d.Parts, json.RawMessage(`{"x":1}`)), 4 },
		})
	})
	t.Run("FeedLease", func(t *testing.T) {
		r, c := in(t, db, chat.EnsureFeedLeaseContainer, chat.NewFeedLeaseRepository)
		owner := "host-1"
		d := &chat.FeedLease{ID: "host.documents.azure.com_db==_c==..0", LeaseToken: "0", Timestamp: at, Properties: map[string]string{}}
		run(t, c, r, d.Key(), trip[chat.FeedLease]{
			document: d, key: `["host.documents.azure.com_db==_c==..0"]`, query: r.Scan().Where(chat.FeedLeaseFields.LeaseToken.Eq("0")),
			changes: list(chat.FeedLeasePatch.Owner.Set(owner), chat.FeedLeasePatch.Continuation.Set("\"42\"")),
			changed: func(d *chat.FeedLease) { d.Owner, d.Continuation = &owner, "\"42\"" },
		})
	})
	t.Run("Turn", func(t *testing.T) {
		r, c := in(t, db, chat.EnsureTurnContainer, chat.NewTurnRepository)
		d := &chat.Turn{TurnID: "t-1", SessionID: "s/1", CreatedAt: at}
		run(t, c, r, d.Key(), trip[chat.Turn]{
			document: d, key: `["session/s/1/2024-06-01.24"]`, query: r.BySessionIDBetweenDays("s/1", at, at),
			changes: list(chat.TurnPatch.Status.Set(1), chat.TurnPatch.Attempt.Set(1)),
			changed: func(d *chat.Turn) { d.Status, d.Attempt = 1, 1 },
		})
	})
}
