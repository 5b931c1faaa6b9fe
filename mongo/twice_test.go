package mongo

import (
	"context"
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// TestRepeatedRequests has a server that gets the command of a creation twice. Its first
// answer is that to the command.
func TestRepeatedRequests(t *testing.T) {
	inserts := 0
	fake := serve(t, func(name string, _ bson.Raw) any {
		if name != "insert" {
			return failed(codeTimeLimit, "unexpected")
		}
		if inserts++; inserts == 2 {
			return refusedWrite(codeDuplicateKey, "E11000 duplicate key")
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	})
	fake.twice = "insert"
	docs := New(fake.connect(t, Configure), "things", thingModel())
	if err := docs.Create(context.Background(), &thing{ID: "1", Site: "a"}); err != nil {
		t.Error(err)
	}
}

// TestRepeatsOfTheDriver breaks the connection after a creation. The driver repeats the
// command only if the server says that it has sessions, and a program does without
// Configure: it is the same transaction then, and such a server writes once.
func TestRepeatsOfTheDriver(t *testing.T) {
	for _, sessions := range []bool{true, false} {
		for _, configured := range []bool{true, false} {
			t.Run(fmt.Sprint("sessions ", sessions, ", configured ", configured), func(t *testing.T) {
				var numbers []int64 // of transactions
				fake := serve(t, func(name string, command bson.Raw) any {
					if name != "insert" {
						return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "d.things"}, {Key: "firstBatch", Value: bson.A{}}}}}
					}
					number, _ := command.Lookup("txnNumber").AsInt64OK()
					if numbers = append(numbers, number); len(numbers) == 1 {
						return nil
					}
					return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
				})
				fake.sessions = sessions
				configure := Configure
				if !configured {
					configure = func(o *options.ClientOptions) *options.ClientOptions { return o }
				}
				docs := New(fake.connect(t, configure), "things", thingModel())
				if err := docs.Create(context.Background(), &thing{ID: "1", Site: "a"}); err != nil || len(numbers) != 2 || numbers[0] != numbers[1] {
					t.Errorf("%v, transactions %v", err, numbers)
				}
				if ours := numbers[0] == 0; ours != (configured || !sessions) {
					t.Errorf("repeated by pkgen: %t", ours)
				}
			})
		}
	}
}
