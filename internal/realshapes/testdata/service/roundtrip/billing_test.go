package roundtrip

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"example.com/platform"
	"example.com/service/billing"
)

func TestBilling(t *testing.T) {
	db := database(t)
	t.Run("Budget", func(t *testing.T) {
		r, c := in(t, db, billing.EnsureBudgetContainer, billing.NewBudgetRepository)
		d := &billing.Budget{ID: "b1", CustomerID: "7", Limit: "12.50", Alerts: map[string]*billing.Alert{"half": {Percent: 50, Mail: []string{"a@example.com"}}, "none": nil}}
		run(t, c, r, d.Key(), trip[billing.Budget]{
			document: d, key: `["customer:7:budgets"]`, query: r.ByCustomerID("7"),
			changes: list(billing.BudgetPatch.Limit.Set("1e3"), billing.BudgetPatch.Alerts.Key("none").Set(billing.Alert{Percent: 0.1})),
			changed: func(d *billing.Budget) { d.Limit, d.Alerts["none"] = json.Number("1000"), &billing.Alert{Percent: 0.1} },
		})
		if d.Stored != "customer:7:budgets" {
			t.Errorf("Create left the key %q in the document", d.Stored)
		}
	})
	t.Run("Discount", func(t *testing.T) {
		r, c := in(t, db, billing.EnsureDiscountContainer, billing.NewDiscountRepository)
		d := &billing.Discount{ID: "d1", CustomerID: "a:b%", Offer: "MS-AZR-0017P", Month: at, Rate: 1999}
		run(t, c, r, d.Key(), trip[billing.Discount]{
			document: d, key: `["customer:a%3Ab%25:discounts:ms-azr-0017p:2024:06"]`, query: r.ByCustomerIDAndOfferBetweenMonths("a:b%", "ms-AZR-0017p", at, at),
			changes: list(billing.DiscountPatch.Rate.Set(5)), changed: func(d *billing.Discount) { d.Rate = 5 },
		})
	})
	t.Run("LineItem", func(t *testing.T) {
		r, c := in(t, db, billing.EnsureLineItemContainer, billing.NewLineItemRepository)
		customer := uuid.MustParse("F47AC10B-58CC-4372-A567-0E02B2C3D479")
		amount := billing.Cents(100)
		d := &billing.LineItem{ID: "l1", Customer: customer}
		d.Usage.Year, d.Usage.Month, d.Usage.Day = 2024, 5, 7
		run(t, c, r, d.Key(), trip[billing.LineItem]{
			document: d, key: `["2024:5:7:f47ac10b-58cc-4372-a567-0e02b2c3d479"]`, query: r.ByYearAndMonthAndDayAndCustomer(2024, 5, 7, customer),
			changes: list(billing.LineItemPatch.Amount.Set(amount)), changed: func(d *billing.LineItem) { d.Amount = &amount },
		})
	})
	t.Run("Ledger", func(t *testing.T) {
		r, c := in(t, db, billing.EnsureLedgerContainer, billing.NewLedgerRepository)
		account := platform.UUID{0xf4, 0x7a, 15: 0x79}
		d := &billing.Ledger{Expiring: platform.Expiring{Document: platform.Document{ID: "l1"}}, Booked: at, Account: account, Amount: 250, Tags: []string{"a"}}
		run(t, c, r, d.Key(), trip[billing.Ledger]{
			document: d, key: `["2024-06#1"]`, query: r.ByBooked(at),
			changes: list(billing.LedgerPatch.Tags.Append("b"), billing.LedgerPatch.Amount.Set(0)),
			changed: func(d *billing.Ledger) { d.Tags, d.Amount = []string{"a", "b"}, 0 },
		})
	})
	t.Run("Invoice", func(t *testing.T) {
		r, c := in(t, db, billing.EnsureInvoiceContainer, billing.NewInvoiceRepository)
		d := &billing.Invoice{ID: "i1", Customer: "Łukasz & \"Söhne\"", Lines: []billing.Line{{Text: "x", Total: 1}, {Text: "y", Total: 2}}}
		run(t, c, r, d.Key(), trip[billing.Invoice]{
			document: d, key: `["Łukasz & \"Söhne\""]`, query: r.ByCustomer(d.Customer),
		})
	})
}
