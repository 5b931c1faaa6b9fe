package layout

import (
	"strings"
	"testing"
)

func TestReach(t *testing.T) {
	for _, test := range []struct {
		template, known string
		levels, buckets int
	}{
		{"{date}.{vin%400}", "date,vin", 1, 1},
		{"{date}.{vin%400}", "vin,date,other", 1, 1},
		{"{date}.{vin%400}", "date", 1, 400},
		{"{date}.{vin%400}", "vin", 0, 1},
		{"{date}.{vin%400}", "", 0, 1},
		{"{date}.{*%50}", "date,vin", 1, 50},
		{"{date}.{vin+region%400}", "date,vin", 1, 400},
		{"{date}", "date", 1, 1},
		{"{tenantId},{userId}", "tenantId", 1, 1},
		{"{tenantId},{userId}", "userId", 0, 1},
		{"{tenantId},{date}.{userId%7},{id}", "tenantId,date", 2, 7},
		{"{tenantId},{date}.{userId%7},{id}", "tenantId,date,id", 3, 7},
	} {
		l := candidates(t, test.template)[0]
		if levels, buckets := l.Reach(strings.Split(test.known, ",")...); levels != test.levels || buckets != test.buckets {
			t.Errorf("%s by %s: %d levels, %d buckets, want %d and %d", test.template, test.known, levels, buckets, test.levels, test.buckets)
		}
	}
}

// TestBucket expects the keys of a suffix, whatever is hashed, and that the key of a
// document is among them.
func TestBucket(t *testing.T) {
	set := NewSet(candidates(t, "{date}.{vin%400}", "{date}.{*%400}", "{tenant},{date}.{vin%7}", "{date}"))
	var d Document
	if err := set.Read([]byte(`{"date":"2018-08-09","vin":"1HGCM82633A004352","tenant":"a"}`), &d); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"2018-08-09.3", "2018-08-09.3", `["a","2018-08-09.3"]`, "2018-08-09"} {
		if got, err := d.Bucket(i, 3); err != nil || got.String() != want {
			t.Errorf("layout %d: %s, %v, want %s", i, got, err, want)
		}
	}
	if got, err := d.Bucket(0, 126); err != nil {
		t.Error(err)
	} else if own, err := d.Key(0); err != nil || got != own {
		t.Errorf("%s, %v is not in its bucket, %s", own, err, got)
	}
}

// TestPrefix cuts keys off.
func TestPrefix(t *testing.T) {
	for _, document := range []string{`{"a":"x","b":"yy","c":"zzz"}`, `{"a":1,"b":"yy","c":true}`, `{"a":"x","b":2,"c":"zzz"}`} {
		key, err := candidates(t, "{a},{b},{c}")[0].Key([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := key.EPK()
		if err != nil {
			t.Fatal(err)
		}
		for n, template := range []string{1: "{a}", 2: "{a},{b}", 3: "{a},{b},{c}"} {
			if n == 0 {
				continue
			}
			want, err := candidates(t, template)[0].Key([]byte(document))
			if err != nil {
				t.Fatal(err)
			}
			got := key.Prefix(n)
			if got != want || got.Len() != n {
				t.Errorf("%d levels of %s: %s, want %s", n, key, got, want)
			}
			if epk, err := got.EPK(); err != nil || !strings.HasPrefix(whole, epk) {
				t.Errorf("%s lies at %s, %v, and its prefix %s at %s", key, whole, err, got, epk)
			}
		}
		if got := key.Prefix(5); got != key {
			t.Errorf("five levels are %s, want %s", got, key)
		}
	}
}
