package suggest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator"
)

const partsSource = `package m

import "time"

type Order struct {
	ID       string   ` + "`json:\"id\"`" + `
	Customer string   ` + "`json:\"customer\"`" + `
	Details  *Details ` + "`json:\"details\"`" + `
}

// Details is no document: it has no id.
type Details struct {
	Groups []struct {
		Lines map[string]Line ` + "`json:\"lines\"`" + `
	} ` + "`json:\"groups\"`" + `
}

type Line struct {
	ID      string ` + "`json:\"id\"`" + `
	Product string ` + "`json:\"productId\"`" + `
}

type Lease struct {
	ID      string    ` + "`json:\"id\"`" + `
	Owner   string    ` + "`json:\"owner\"`" + `
	Expires time.Time ` + "`json:\"expires\"`" + `
}

type Job struct {
	ID         string ` + "`json:\"id\"`" + `
	LeaseOwner string ` + "`json:\"leaseOwner\"`" + `
}

type House struct {
	ID    string ` + "`json:\"id\"`" + `
	Owner string ` + "`json:\"owner\"`" + `
}

type Garage struct {
	ID            string ` + "`json:\"id\"`" + `
	OwnerID       string ` + "`json:\"ownerId\"`" + `
	CurrentUserID string ` + "`json:\"currentUserId\"`" + `
	TenantID      string ` + "`json:\"tenantId\"`" + `
}

// Store keeps documents in memory, and they are documents all the same.
type Store struct {
	*cache
}

type cache struct{ houses map[string]House }
`

// TestPartsAndLeases proposes no key for a part of a part of a document, and none
// that says who holds a lease or has a thing now.
func TestPartsAndLeases(t *testing.T) {
	result := find(t, Options{Dir: module(t, map[string]string{"m.go": partsSource})})
	want := map[string]string{"Order": "Customer pk", "Lease": "ID id,pk", "Job": "ID id,pk", "House": "ID id,pk", "Garage": "TenantID pk"}
	for _, p := range result.Proposals {
		if got := p.Tags[0].Field + " " + p.Tags[0].Words; got != want[p.Type] {
			t.Errorf("%s: %s, want %q", p.Type, got, want[p.Type])
		}
		rejected := strings.Join(p.Rejected, "; ")
		if lease := p.Type == "Lease" || p.Type == "Job"; lease != strings.Contains(rejected, "it names the holder of a lease or a lock") {
			t.Errorf("%s: rejected %q", p.Type, rejected)
		}
		if p.Type == "Garage" {
			const last = "CurrentUserID `pk`: only if it never changes while a document is stored, despite its name"
			if !strings.Contains(rejected, "ownerId: its name suggests that it changes") || p.Alternatives[len(p.Alternatives)-1] != last {
				t.Errorf("%s: rejected %q, other keys %q", p.Type, rejected, p.Alternatives)
			}
		}
		delete(want, p.Type)
	}
	for name := range want {
		t.Errorf("no proposal for %s", name)
	}
	for _, s := range result.Skipped {
		if s.Type == "Line" && strings.HasPrefix(s.Reason, "Order holds it") {
			return
		}
	}
	t.Errorf("Line is not left alone as a part of Order: %v", result.Skipped)
}

const shopSource = `package shop

type Order struct {
	ID       string ` + "`json:\"id\"`" + `
	Customer string ` + "`json:\"customer\"`" + `
	Lines    Lines  ` + "`json:\"lines\"`" + `
	First    *First ` + "`json:\"first\"`" + `
	Notes    []Note ` + "`json:\"-\"`" + `
	seen     []Visit
}

type (
	Lines  []Line
	Nested []Nested
)

type Line struct {
	ID      string ` + "`json:\"id\"`" + `
	OrderID string ` + "`json:\"orderId\"`" + `
	Nested  Nested ` + "`json:\"nested\"`" + `
}

type First = Opt[Item]

type Opt[T any] struct {
	Value T ` + "`json:\"value\"`" + `
}

type Item struct {
	ID      string ` + "`json:\"id\"`" + `
	OrderID string ` + "`json:\"orderId\"`" + `
}

// Note and Visit are stored apart: JSON leaves out the fields that hold them.
type Note struct {
	ID      string ` + "`json:\"id\"`" + `
	OrderID string ` + "`json:\"orderId\"`" + `
}

type Visit struct {
	ID     string ` + "`json:\"id\"`" + `
	UserID string ` + "`json:\"userId\"`" + `
}

// Legacy has to be corrected, and Part is stored in it.
type Legacy struct {
	ID    int    ` + "`json:\"id\"`" + `
	Parts []Part ` + "`json:\"parts\"`" + `
}

type Part struct {
	ID       string ` + "`json:\"id\"`" + `
	LegacyID string ` + "`json:\"legacyId\"`" + `
}
`

// TestParentAndChild proposes no container for what is stored in a document, and
// none that two documents would share because of a name.
func TestParentAndChild(t *testing.T) {
	const order = "package billing\n\ntype Order struct {\n\tID string `json:\"id\"`\n\tUserID string `json:\"userId\"`\n}\n"
	dir := module(t, map[string]string{"shop/shop.go": shopSource, "billing/billing.go": order, "a/billing/billing.go": order})
	result := find(t, Options{Dir: dir, Patterns: []string{"./..."}})
	if err := result.Generated.Err(); err != nil {
		t.Fatal(err)
	}
	got, paths := map[string]string{}, map[string]string{}
	for _, p := range result.Generated.Types {
		m := p.Model
		if other := paths[m.Container]; other != "" {
			t.Errorf("%s.%s is stored in the container of %s", m.PackagePath, m.Name, other)
		}
		paths[m.Container] = m.PackagePath + "." + m.Name
		got[strings.TrimPrefix(m.PackagePath, "example.com/m/")+"."+m.Name] = m.Container
	}
	if d := cmp.Diff(map[string]string{
		"shop.Order": "m-shop-order", "billing.Order": "m-billing-order", "a/billing.Order": "a-billing-order",
		"shop.Note": "note", "shop.Visit": "visit",
	}, got); d != "" {
		t.Errorf("containers (-want +got):\n%s", d)
	}
	left := map[string]string{}
	for _, s := range result.Skipped {
		left[s.Type], _, _ = strings.Cut(s.Reason, ",")
	}
	if d := cmp.Diff(map[string]string{
		"Line": "Order holds it", "Item": "Order holds it", "Part": "Legacy holds it",
		"Legacy": "field ID has the property id and is of type int",
	}, left); d != "" {
		t.Errorf("left alone (-want +got):\n%s", d)
	}
}

// TestTogether generates the container that a document is told it may share with
// the one that it names by its id.
func TestTogether(t *testing.T) {
	const source = "package m\n\ntype Cart struct {\n\tID string `json:\"id\"`\n\tUserID string `json:\"userId\"`\n}\n\n" +
		"type CartItem struct {\n\tID string `json:\"id\"`\n\tCartID string `json:\"cartId\"`\n}\n"
	told := ""
	for _, p := range find(t, Options{Dir: module(t, map[string]string{"m.go": source})}).Proposals {
		for _, line := range p.Alternatives {
			if strings.HasPrefix(line, "one container with Cart") {
				told = p.Type + ": " + line
			}
		}
	}
	const want = "CartItem: one container with Cart, if transactions write both: " +
		"_ `container=cart,type=cart,key=cart-{ID}` in Cart and " +
		"_ `container=cart,type=cart-item,key=cart-{CartID}` in CartItem, with an `id,prefix=` in each"
	if told != want {
		t.Fatalf("got %q, want %q", told, want)
	}
	options := regexp.MustCompile("_ `([^`]*)` in (\\w+)").FindAllStringSubmatch(told, -1)
	tagged := source
	for _, o := range options {
		tagged = strings.Replace(tagged, "type "+o[2]+" struct {\n\tID string `json:\"id\"`",
			"type "+o[2]+" struct {\n\t_ struct{} `cosmos:\""+o[1]+"\"`\n\tID string `json:\"id\" cosmos:\"id,prefix="+o[2]+"-\"`", 1)
	}
	result, err := generator.Generate(t.Context(), generator.Options{Dir: module(t, map[string]string{"m.go": tagged})})
	if err == nil {
		err = result.Err()
	}
	if err != nil || len(result.Types) != 2 || result.Types[0].Model.Container != result.Types[1].Model.Container {
		t.Errorf("%v, of\n%s", err, tagged)
	}
}
