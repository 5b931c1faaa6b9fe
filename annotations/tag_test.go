package annotations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseField(t *testing.T) {
	for _, tt := range []struct {
		tag  string
		want Field
	}{
		{"id", Field{ID: true}},
		{"pk", Field{PK: true}},
		{"id,pk", Field{ID: true, PK: true}},
		{"pk,id", Field{ID: true, PK: true}},
		{"synthetic", Field{Synthetic: true}},
		{"etag", Field{ETag: true}},
		{"ttl", Field{TTL: true}},
		{"ts", Field{TS: true}},
		{"rest", Field{Rest: true}},
		{"created", Field{Created: true}},
		{"updated", Field{Updated: true}},
		{"version", Field{Version: true}},
		{"deleted", Field{Deleted: true}},
		{"deleted,purge=720h", Field{Deleted: true, Purge: 2592000}},
		{"deleted,purge=1m30s", Field{Deleted: true, Purge: 90}},
		{"schema=3", Field{Schema: 3}},
		{"schema=3,next=4", Field{Schema: 3, Upcoming: 4}},
		{"next=4,schema=3", Field{Schema: 3, Upcoming: 4}},
		{"id,prefix=order-", Field{ID: true, Prefix: "order-"}},
		{"id,pk,prefix=größe 1:", Field{ID: true, PK: true, Prefix: "größe 1:"}},
		{"pk,concat", Field{PK: true, Concat: true}},
		{"concat,pk", Field{PK: true, Concat: true}},
		{"pk,concat,format=day", Field{PK: true, Concat: true, Format: "2006-01-02"}},
		{"pk,format=2006-01-02T15:04:05.000", Field{PK: true, Format: "2006-01-02T15:04:05.000"}},
		{"pk,format=2006 01", Field{PK: true, Format: "2006 01"}},
		{"pk,hashsuffix=VIN,buckets=400", Field{PK: true, Hash: []Path{{"VIN", 14}}, Buckets: 400}},
		{"buckets=2,hashsuffix=VIN,pk", Field{PK: true, Hash: []Path{{"VIN", 21}}, Buckets: 2}},
		{"pk,hashsuffix=VIN+Address.Zip+Größe,buckets=10000",
			Field{PK: true, Hash: []Path{{"VIN", 14}, {"Address.Zip", 18}, {"Größe", 30}}, Buckets: 10000}},
		{"pk,hashsuffix=VIN,buckets=400,was=200+100", Field{PK: true, Hash: []Path{{"VIN", 14}}, Buckets: 400, Was: []int{200, 100}}},
		{"pk,hashsuffix=VIN,next=400,buckets=100,was=50", Field{PK: true, Hash: []Path{{"VIN", 14}}, Buckets: 100, Was: []int{50}, Next: 400}},
		{"pk,randomsuffix,buckets=100,next=400", Field{PK: true, Random: true, Buckets: 100, Next: 400}},
		{"pk,randomsuffix,buckets=400", Field{PK: true, Random: true, Buckets: 400}},
		{"pk,concat,hashsuffix=VIN,buckets=400", Field{PK: true, Concat: true, Hash: []Path{{"VIN", 21}}, Buckets: 400}},
		{"pk,lower", Field{PK: true, Lower: true}},
		{"id,pk,lower", Field{ID: true, PK: true, Lower: true}},
		{"pk,concat,order=12,lower", Field{PK: true, Concat: true, Order: 12, Lower: true}},
		{"order=1000,concat,pk", Field{PK: true, Concat: true, Order: 1000}},
		{"pk,lower,hashsuffix=VIN,buckets=4", Field{PK: true, Lower: true, Hash: []Path{{"VIN", 20}}, Buckets: 4}},
		{"later", Field{Later: true}},
		{"was=fullName", Field{Former: []string{"fullName"}}},
		{"later,was=fullName+name-2,next=title", Field{Later: true, Former: []string{"fullName", "name-2"}, Coming: "title"}},
		{"later,note=int64", Field{Later: true, Notes: []Acknowledgement{{"int64", 11}}}},
		{"ttl,note=ttl+etag", Field{TTL: true, Notes: []Acknowledgement{{"ttl", 9}, {"etag", 13}}}},
		{"pk,level=1", Field{PK: true, Level: 1}},
		{"id,pk,level=3", Field{ID: true, PK: true, Level: 3}},
		{"pk,level=2,format=month", Field{PK: true, Level: 2, Format: "2006-01"}},
		{"computed=LOWER(c.email)", Field{Computed: "LOWER(c.email)"}},
		{"note=etag,computed=CONCAT(c.first, ', ', c['a,b'], [1,2][0])", Field{Computed: "CONCAT(c.first, ', ', c['a,b'], [1,2][0])", Notes: []Acknowledgement{{"etag", 5}}}},
		{"computed=c.a = 'x',note=etag", Field{Computed: "c.a = 'x'", Notes: []Acknowledgement{{"etag", 24}}}},
		{"pk,level=2,lower,randomsuffix,buckets=4", Field{PK: true, Level: 2, Lower: true, Random: true, Buckets: 4}},
	} {
		got, errs := ParseField(tt.tag)
		for _, err := range errs {
			t.Errorf("%q: offset %d: %v", tt.tag, err.Offset, err)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Field{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.tag, diff)
		}
		for _, p := range got.Hash {
			if !strings.HasPrefix(tt.tag[p.Offset:], p.Text) {
				t.Errorf("%q: offset %d is not that of %q", tt.tag, p.Offset, p.Text)
			}
		}
	}
}

func TestParseType(t *testing.T) {
	for _, tt := range []struct {
		tag  string
		want Type
	}{
		{"container=readings", Type{Container: "readings"}},
		{"container=a b=c", Type{Container: "a b=c"}},
		{"container=" + strings.Repeat("é", 255), Type{Container: strings.Repeat("é", 255)}},
		{"path=/partitionKey", Type{Path: "/partitionKey"}},
		{"path=/address/zip_code9", Type{Path: "/address/zip_code9"}},
		{"sep=-", Type{Sep: "-"}},
		{"sep==", Type{Sep: "="}},
		{"sep=::", Type{Sep: "::"}},
		{"suffixsep=.", Type{SuffixSep: "."}},
		{"methods=none", Type{NoMethods: true}},
		{"type=reading", Type{Discriminator: "reading"}},
		{"container=readings-2,formerly=OldReading", Type{Container: "readings-2", Formerly: "OldReading"}},
		{"type=a reading=1", Type{Discriminator: "a reading=1"}},
		{"type=order,prefix=order-", Type{Discriminator: "order", Prefix: "order-"}},
		{"ttl=1", Type{TTL: 1}},
		{"ttl=2147483647", Type{TTL: 2147483647}},
		{"ttl=-1", Type{TTL: -1}},
		{"conflict=lww", Type{Conflict: "/_ts"}},
		{"conflict=lww:/meta/revision", Type{Conflict: "/meta/revision"}},
		{"note=ambiguous+int64", Type{Notes: []Acknowledgement{{"ambiguous", 5}, {"int64", 15}}}},
		{"escape", Type{Escape: true}},
		{"escape,sep=|x,suffixsep=_", Type{Escape: true, Sep: "|x", SuffixSep: "_"}},
		{"sep=年,escape", Type{Escape: true, Sep: "年"}},
		{"key={A.B|month}", Type{
			Key:      Template{[]Level{{{Component: &Component{Fields: []string{"A.B"}, Format: "2006-01"}}}}},
			KeyPaths: []Path{{"A.B", 5}},
		}},
		{"escape,key=v1:{A|lower}={A%2}", Type{
			Escape: true,
			Key: Template{[]Level{{
				{Literal: "v1:"}, {Component: &Component{Fields: []string{"A"}, Lower: true}},
				{Literal: "="}, {Component: &Component{Fields: []string{"A"}, Buckets: 2}},
			}}},
			KeyPaths: []Path{{"A", 15}, {"A", 25}},
		}},
		{"key={Date}.{VIN+Region|lower%400}", Type{
			Key: Template{[]Level{{
				field("Date"), {Literal: "."}, {Component: &Component{Fields: []string{"VIN", "Region"}, Lower: true, Buckets: 400}},
			}}},
			KeyPaths: []Path{{"Date", 5}, {"VIN", 12}, {"Region", 16}},
		}},
		{"key={Date}.{*%400},path=/pk", Type{
			Path:     "/pk",
			Key:      Template{[]Level{{field("Date"), {Literal: "."}, {Component: &Component{Buckets: 400}}}}},
			KeyPaths: []Path{{"Date", 5}},
		}},
		{"container=readings,path=/pk,sep=|,suffixsep=~,methods=none",
			Type{Container: "readings", Path: "/pk", Sep: "|", SuffixSep: "~", NoMethods: true}},
	} {
		got, errs := ParseType(tt.tag)
		for _, err := range errs {
			t.Errorf("%q: offset %d: %v", tt.tag, err.Offset, err)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Type{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.tag, diff)
		}
		for _, p := range got.KeyPaths {
			if !strings.HasPrefix(tt.tag[p.Offset:], p.Text) {
				t.Errorf("%q: offset %d is not that of %q", tt.tag, p.Offset, p.Text)
			}
		}
	}
}

func TestOffsets(t *testing.T) {
	f, errs := ParseField("pk,concat,hashsuffix=VIN,buckets=400")
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for _, tt := range []struct {
		word        string
		word0, val0 int
	}{
		{"pk", 0, -1},
		{"concat", 3, -1},
		{"hashsuffix", 10, 21},
		{"buckets", 25, 33},
		{"format", -1, -1},
		{"sep", -1, -1},
	} {
		if got := f.Offset(tt.word); got != tt.word0 {
			t.Errorf("Offset(%q) = %d, want %d", tt.word, got, tt.word0)
		}
		if got := f.ValueOffset(tt.word); got != tt.val0 {
			t.Errorf("ValueOffset(%q) = %d, want %d", tt.word, got, tt.val0)
		}
	}
	typ, errs := ParseType("container=readings,path=/pk")
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	if got := []int{typ.Offset("path"), typ.ValueOffset("path"), typ.Offset("sep"), typ.ValueOffset("sep")}; !cmp.Equal(got, []int{19, 24, -1, -1}) {
		t.Errorf("offsets of path and sep: %v", got)
	}
	// ttl is a word of both places.
	f, _ = ParseField("ttl")
	typ, _ = ParseType("type=x,ttl=60")
	if got := []int{f.Offset("ttl"), f.ValueOffset("ttl"), typ.Offset("ttl"), typ.ValueOffset("ttl")}; !cmp.Equal(got, []int{0, -1, 7, 11}) {
		t.Errorf("offsets of ttl: %v", got)
	}
	if got := (Field{}).Offset("pk"); got != -1 {
		t.Errorf("Offset of an empty Field = %d, want -1", got)
	}
}

// TestFieldAfterErrors shows what is kept of a tag with errors, for further
// diagnostics: all that was understood.
func TestFieldAfterErrors(t *testing.T) {
	got, errs := ParseField("pk,hashsuffix=VIN+1,buckets=x,unknown,format=day")
	if len(errs) != 3 {
		t.Errorf("%d errors, want 3: %v", len(errs), errs)
	}
	want := Field{PK: true, Hash: []Path{{"VIN", 14}}, Format: "2006-01-02"}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Field{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Offset("buckets") != 20 {
		t.Errorf("Offset(buckets) = %d, want 20", got.Offset("buckets"))
	}
}
