package annotations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestContainerTemplates(t *testing.T) {
	time := func(name, format string) Part {
		return Part{Component: &Component{Fields: []string{name}, Format: format}}
	}
	for _, tt := range []struct {
		tag  string
		want Type
	}{
		{"container=telemetry-{At|2006-01}", Type{
			Containers:     Template{[]Level{{{Literal: "telemetry-"}, time("At", "2006-01")}}},
			ContainerPaths: []Path{{"At", 21}},
		}},
		{"container={At|month}", Type{
			Containers:     Template{[]Level{{time("At", "2006-01")}}},
			ContainerPaths: []Path{{"At", 11}},
		}},
		{"container=orders-{Tenant.ID}x", Type{
			Containers:     Template{[]Level{{{Literal: "orders-"}, field("Tenant.ID"), {Literal: "x"}}}},
			ContainerPaths: []Path{{"Tenant.ID", 18}},
		}},
		{"container={Region}-{At|2006-01-02-15}-v2,ttl=60", Type{
			TTL:            60,
			Containers:     Template{[]Level{{field("Region"), {Literal: "-"}, time("At", "2006-01-02-15"), {Literal: "-v2"}}}},
			ContainerPaths: []Path{{"Region", 11}, {"At", 20}},
		}},
		{"container=orders,own=orders-{Tenant.ID}", Type{
			Container: "orders",
			Own:       Template{[]Level{{{Literal: "orders-"}, field("Tenant.ID")}}},
			OwnPaths:  []Path{{"Tenant.ID", 29}},
		}},
		{"container={At|20060102}h", Type{
			Containers:     Template{[]Level{{time("At", "20060102"), {Literal: "h"}}}},
			ContainerPaths: []Path{{"At", 11}},
		}},
	} {
		got, errs := ParseType(tt.tag)
		for _, err := range errs {
			t.Errorf("%q: offset %d: %v", tt.tag, err.Offset, err)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Type{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.tag, diff)
		}
		for _, p := range got.ContainerPaths {
			if !strings.HasPrefix(tt.tag[p.Offset:], p.Text) {
				t.Errorf("%q: offset %d is not that of %q", tt.tag, p.Offset, p.Text)
			}
		}
	}
}

func TestErrorsOfContainerTemplates(t *testing.T) {
	checkGolden(t, typeErrors, []golden{
		{"container=t-{}", []wrong{{13, 13, `no field here: write a name, as in {date}`}}},
		{"container=t-{At", []wrong{{12, 13, `"{" is not closed: write "}" after the field`}}},
		{"container=t-}", []wrong{{12, 13, `"}" without a "{" before it: braces hold a field, and a key cannot hold them`}}},
		{"container={A}{B}", []wrong{{13, 16, `{B} follows the field before it directly, so their texts run together: write text between them, such as "-"`}}},
		{"container={VIN%4}", []wrong{{10, 17, `{VIN%4} is a bucket: a bucket spreads keys within a container; name a field, as in container=orders-{TenantID}`}}},
		{"container=x-{*%4}", []wrong{{12, 17, `{*%4} is a bucket: a bucket spreads keys within a container; name a field, as in container=orders-{TenantID}`}}},
		{"container={A|lower}", []wrong{{10, 19, `{A|lower} is in lower case, so texts that differ only in case would share a container: remove "|lower"; ids encode capital letters`}}},
		{"container={A}-{A}", []wrong{{14, 17, `field "A" occurs here twice: its text is in the id already; remove one`}}},
		{"container={A|year}-{B|month}", []wrong{{19, 28, `{B|month} is a second time besides A, and a window is a period of one time: keep one`}}},
		{"container=Orders-{A}", []wrong{{10, 11, `the fixed text of a container template may not hold "O": use lower-case letters a to z, digits and "-", so that ids differ in any letter case`}}},
		{"container={A}-ß", []wrong{{14, 16, `the fixed text of a container template may not hold "ß": use lower-case letters a to z, digits and "-", so that ids differ in any letter case`}}},
		{"container={A}x{B}", []wrong{{13, 14, `text "x" between two fields does not begin with "-", so different fields could make the same id: write it as "-x"`}}},
		{"container={A|hour}", []wrong{{10, 18, `{A|hour} makes ids with other characters than a to z, digits and "-": write {A|2006-01-02-15}`}}},
		{"container={A|2006_01}", []wrong{{10, 21, `{A|2006_01} makes ids with other characters than a to z, digits and "-": write {A|2006-01}`}}},
		{"container={A|instant}", []wrong{{10, 21, `{A|instant} is a window of a fraction of a second: a window is a year, a month, a day or an hour; write {A|2006-01-02-15}`}}},
		{"container={A|2006-01-02-15-04}", []wrong{{10, 30, `{A|2006-01-02-15-04} is a window of a minute: a window is a year, a month, a day or an hour; write {A|2006-01-02-15}`}}},
		{"container={A|2006-1}", []wrong{{10, 20, `{A|2006-1} has no zero padding, so ids do not sort by time: write 01 and 02`}}},
		{"container={A|Monday}", []wrong{{13, 19, `format "Monday": Go reads "Monday" as the name of a weekday, which has no fixed width and says nothing that the date does not: remove it`}}},
		{"container={A|01}", []wrong{{13, 15, `format "01" has the month but not the year, so different times get the same key: add "2006"`}}},
		{"container={tenant-id}", []wrong{{11, 20, `field path "tenant-id": "tenant-id" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"container=" + strings.Repeat("a", 255) + "{A}", []wrong{{10, 268, `the ids have 256 characters or more: Cosmos DB allows 255`}}},
		{"own=orders", []wrong{{4, 10, `"orders" is one container, and each tenant has one of its own: name the field of the tenant, as in own=orders-{TenantID}`}}},
		{"own=o-{A}-{B}", []wrong{{11, 12, `field "B" is a second field, but an own container belongs to one tenant: name only the field of the tenant, as in own=orders-{TenantID}`}}},
		{"own=o-{A|year}", []wrong{{4, 14, `o-{A|year} has a format, which is for times, but an own container belongs to a tenant: name the field of the tenant, as in own=orders-{TenantID}`}}},
		{"own=O-{A}", []wrong{{4, 5, `the fixed text of a container template may not hold "O": use lower-case letters a to z, digits and "-", so that ids differ in any letter case`}}},
		{"own=o-{A", []wrong{{6, 7, `"{" is not closed: write "}" after the field`}}},
	})
}
