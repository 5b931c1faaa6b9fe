package server

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// deleteKey deletes all items of a partition key, which names a whole logical partition: the
// service refuses a prefix of a hierarchical key ("Delete items by partition key value"). The
// service responds when the deletion has begun, and its effects are visible at once. Here it
// has ended by then.
func (s *Server) deleteKey(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	k, err := c.ItemKey(call.Header.Get(header.PartitionKey))
	if err != nil {
		return nil, err
	}
	var answer *reply
	err = c.Transact(k, call.now, false, func(t *store.Transaction) error {
		if err := call.admit(c, t.Range); err != nil {
			return err
		}
		if err := t.DeleteAll(k); err != nil {
			return err
		}
		answer = transactionReply(t, status.OK, charge.Metadata, nil)
		answer.header["x-ms-cosmos-is-partition-key-delete-pending"] = "false"
		return nil
	})
	return answer, err
}
