package table_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/table"
)

// changeset is the answer to a transaction with these parts.
func changeset(parts ...string) *http.Response {
	var text strings.Builder
	text.WriteString("--batch\r\nContent-Type: multipart/mixed; boundary=change\r\n\r\n")
	for _, p := range parts {
		text.WriteString("--change\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" + p + "\r\n")
	}
	return reply(202, text.String()+"--change--\r\n--batch--\r\n")
}

func stored(version string) string {
	return "HTTP/1.1 204 No Content\r\nETag: " + version + "\r\nDataServiceVersion: 3.0;\r\n\r\n"
}

func refused(status int, code, message string) string {
	body := fmt.Sprintf(`{"odata.error":{"code":%q,"message":{"lang":"en-us","value":%q}}}`, code, message)
	return fmt.Sprintf("HTTP/1.1 %d Bad\r\nContent-Type: application/json\r\n\r\n%s\r\n", status, body)
}

type operations = table.Operations[event, eventKey]

func commit(docs *table.Documents[event, eventKey], add ...func(operations) error) error {
	tx := table.NewTransaction()
	for _, f := range add {
		if err := f(docs.In(tx)); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

func of(i int) *event {
	e := sample(i)
	e.Device = "d"
	return e
}

func create(e *event) func(operations) error { return func(o operations) error { return o.Create(e) } }
func upsert(e *event) func(operations) error { return func(o operations) error { return o.Upsert(e) } }
func replace(e *event) func(operations) error {
	return func(o operations) error { return o.Replace(e) }
}
func remove(k eventKey) func(operations) error {
	return func(o operations) error { return o.Delete(k) }
}

func TestTransaction(t *testing.T) {
	one, two, known := of(1), of(2), of(3)
	two.ID, known.ETag = "it's", "W/\"5\""
	docs, f := repo(t, func(_ int, s sent) (*http.Response, error) {
		if s.method == "GET" {
			return failed(404, "ResourceNotFound"), nil
		}
		return changeset(stored("W/\"1\""), stored("W/\"2\""), stored("W/\"3\""), stored("")), nil
	})
	if err := commit(docs, create(one), upsert(two), replace(known), remove(of(4).Key())); err != nil {
		t.Fatal(err)
	}
	if one.ETag != "W/\"1\"" || two.ETag != "W/\"2\"" || known.ETag != "W/\"3\"" || one.Stored != "d" {
		t.Errorf("versions %q, %q, %q", one.ETag, two.ETag, known.ETag)
	}
	s := f.all[len(f.all)-1]
	for _, want := range []string{
		"POST http://127.0.0.1:1/account/Events", "PUT http://127.0.0.1:1/account/Events%28PartitionKey=%27d%27,RowKey=%27it%27%27s%27%29",
		`"RowKey":"it's"`, "If-Match: W/\"5\"", "DELETE http://127.0.0.1:1/account/Events%28PartitionKey=%27d%27,RowKey=%27e004%27%29", "If-Match: *",
	} {
		body := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s.body, "(", "%28"), ")", "%29"), "'d'", "%27d%27")
		body = strings.ReplaceAll(strings.ReplaceAll(body, "='e004'", "=%27e004%27"), "='it%27%27s'", "=%27it%27%27s%27")
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if s.path != "/account/$batch" && s.path != "/account/%24batch" {
		t.Errorf("sent to %s", s.path)
	}
}

func TestFailedOperations(t *testing.T) {
	for _, test := range []struct {
		part string
		want error
		at   int
		sent int // requests: a read, if the transaction may have caused the answer itself
	}{
		{refused(409, "EntityAlreadyExists", "1:secret"), documents.ErrAlreadyExists, 2, 2},
		{refused(404, "ResourceNotFound", "2:secret"), documents.ErrNotFound, 3, 2},
		{refused(404, "TableNotFound", "0:secret"), documents.ErrNoContainer, 1, 1},
		{refused(412, "UpdateConditionNotSatisfied", "2:secret"), documents.ErrPreconditionFailed, 3, 1},
		{refused(400, "EntityTooLarge", "0:secret"), documents.ErrTooLarge, 1, 1},
		{refused(409, "EntityAlreadyExists", "secret"), documents.ErrAlreadyExists, 0, 2},
	} {
		docs, f := repo(t, func(_ int, s sent) (*http.Response, error) {
			if s.method == "GET" {
				return another(s), nil
			}
			return changeset(test.part), nil
		})
		err := commit(docs, create(of(1)), create(of(2)), remove(of(3).Key()))
		var failed *table.TransactionError
		isFailed := errors.As(err, &failed)
		if isFailed && !strings.HasPrefix(err.Error(), fmt.Sprintf("transaction in partition %s: %s of %s %q (operation %d of 3): ", failed.PartitionKey, failed.Op, failed.Type, failed.ID, test.at)) {
			t.Errorf("the text does not name the operation: %v", err)
		}
		if !errors.Is(err, test.want) || isFailed != (test.at > 0) || isFailed && (failed.Operation != test.at || failed.Of != 3) ||
			strings.Contains(err.Error(), "secret") || errors.Is(err, documents.ErrUnclear) || len(f.all) != test.sent {
			t.Errorf("%q: %v, sent %d times", test.part, err, len(f.all))
		}
	}
}

// TestLostAnswers checks transactions whose answer never comes.
func TestLostAnswers(t *testing.T) {
	lost := errors.New("connection reset")
	docs, f := repo(t, func(n int, _ sent) (*http.Response, error) {
		if n < 3 {
			return nil, lost
		}
		return changeset(stored("W/\"1\""), stored("W/\"2\"")), nil
	})
	if err := commit(docs, upsert(of(1)), upsert(of(2))); err != nil || len(f.all) != 3 {
		t.Errorf("upserts: %v, sent %d times", err, len(f.all))
	}
	for _, took := range []bool{true, false} {
		entity := ""
		docs, f := repo(t, func(n int, s sent) (*http.Response, error) {
			switch {
			case n == 1:
				_, entity, _ = strings.Cut(s.body, "{")
				entity, _, _ = strings.Cut(entity, "}")
				entity = "{" + entity + "}"
				return nil, lost
			case took && strings.Contains(s.path, "e001"):
				return reply(200, entity, "ETag", "W/\"9\""), nil
			}
			return failed(404, "ResourceNotFound"), nil
		})
		e := of(1)
		err := commit(docs, create(e), remove(of(2).Key()))
		if took && (err != nil || e.ETag != "W/\"9\"" || len(f.all) != 3) || !took && !errors.Is(err, documents.ErrUnclear) {
			t.Errorf("took effect %t: %v, %q, %d requests", took, err, e.ETag, len(f.all))
		}
	}
	for _, cut := range []*http.Response{reply(202, ""), reply(202, "--batch"), changeset(stored("W/\"1\""))} {
		docs, _ := repo(t, func(n int, _ sent) (*http.Response, error) {
			if n == 1 {
				return cut, nil
			}
			return failed(404, "ResourceNotFound"), nil
		})
		if err := commit(docs, create(of(1)), create(of(2))); !errors.Is(err, documents.ErrUnclear) {
			t.Errorf("a cut answer: %v", err)
		}
	}
}

func TestRefusedOperations(t *testing.T) {
	docs, f := repo(t, always(500, ""))
	other, moved := of(2), of(2)
	other.Device, moved.Stored = "other", "was"
	large := of(2)
	large.Name = strings.Repeat("x", 1<<16)
	elsewhere := table.New(service(t, "http://127.0.0.1:1/account", f), "Others", &eventModel)
	for name, add := range map[string]func(operations) error{
		"another partition": create(other), "twice": upsert(of(1)), "a changed key": upsert(moved), "too large": create(large),
		"no key": create(&event{}), "no version": func(o operations) error { return o.DeleteIfMatch(of(2)) },
	} {
		tx := table.NewTransaction()
		if err := docs.In(tx).Create(of(1)); err != nil {
			t.Fatal(err)
		}
		err := add(docs.In(tx))
		if again := tx.Commit(ctx); err == nil || again == nil || tx.Len() != 1 {
			t.Errorf("%s: %v, %v", name, err, again)
		}
	}
	tx := table.NewTransaction()
	for i := range 100 {
		if err := docs.In(tx).Create(of(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := docs.In(tx).Create(of(100)); !errors.Is(err, documents.ErrTooLarge) {
		t.Errorf("101 operations: %v", err)
	}
	tx = table.NewTransaction()
	if err := docs.In(tx).Create(of(1)); err != nil {
		t.Fatal(err)
	}
	if err := elsewhere.In(tx).Create(of(2)); err == nil {
		t.Error("two tables")
	}
	tx, full := table.NewTransaction(), of(0)
	full.Name, full.Raw = strings.Repeat("x", 1<<15), make([]byte, 1<<16)
	var err error
	for i := 0; err == nil && i < 100; i++ {
		full.ID = fmt.Sprint(i)
		err = docs.In(tx).Create(full)
	}
	if !errors.Is(err, documents.ErrTooLarge) || tx.Len() < 30 {
		t.Errorf("after %d operations: %v", tx.Len(), err)
	}
	if err := table.NewTransaction().Commit(ctx); err == nil {
		t.Error("a transaction without operations is committed")
	}
	if err := docs.In(nil).Create(of(1)); err == nil {
		t.Error("no transaction")
	}
	ambiguous := eventModel
	ambiguous.Ambiguous = true
	loose := table.New(service(t, "http://127.0.0.1:1/account", f), "Events", &ambiguous)
	if err := loose.In(table.NewTransaction()).Upsert(of(1)); err == nil {
		t.Error("an upsert of a key that can collide")
	}
	if len(f.all) != 0 {
		t.Errorf("%d requests", len(f.all))
	}
}
