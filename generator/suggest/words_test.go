package suggest

import (
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

func TestRankOf(t *testing.T) {
	for name, want := range map[string]rank{
		"TenantID":        tenantRank,
		"Organization":    tenantRank,
		"CustomerNumber":  customerRank,
		"ShippingUserID":  userRank,
		"Owner":           userRank,
		"VIN":             deviceRank,
		"DeviceSerial":    deviceRank,
		"OrderID":         referenceRank,
		"ConversationKey": 0,
		"TraceID":         0,
		"ParentID":        0,
		"PhoneNumber":     0,
		"UserName":        0,
		"ID":              0,
		"Number":          0,
	} {
		if got := rankOf(goname.LowerWords(name)); got != want {
			t.Errorf("rankOf(%s) = %d, want %d", name, got, want)
		}
	}
}

// TestChanging has names of owners that change while a document exists.
func TestChanging(t *testing.T) {
	for name, want := range map[string]bool{
		"accountManagerId": true, "assigneeId": true, "assignedUserId": true, "updatedByUserId": true, "lastEditorId": true, "statusId": true,
		"currentDriverId": true, "reviewerId": true,
		"accountId": false, "managerialUnitId": false, "userId": false, "vehicleId": false,
	} {
		s := &structure{name: "Order", fields: []field{{property: name, words: goname.LowerWords(name), rank: userRank}}}
		s.dropChanging()
		if got := s.fields[0].rank == 0; got != want || got != (len(s.passed) == 1) {
			t.Errorf("%s: dropped %v, told %q", name, got, s.passed)
		}
	}
}

// TestWordLists keeps the lists apart: a word has one meaning.
func TestWordLists(t *testing.T) {
	lists := [][]string{markers, fewValues, periods, instants}
	for i, list := range lists {
		for _, word := range list {
			if owners[word] != 0 {
				t.Errorf("%q is an owner and in list %d", word, i)
			}
			for j, other := range lists {
				if i != j && slices.Contains(other, word) {
					t.Errorf("%q is in lists %d and %d", word, i, j)
				}
			}
		}
	}
	for _, word := range beginnings {
		if !slices.Contains(states, word) {
			t.Errorf("%q begins something and is no state", word)
		}
	}
}
