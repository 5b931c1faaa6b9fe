package annotations

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestErrorsOfAliases(t *testing.T) {
	checkGolden(t, fieldErrors, []golden{
		{"was=100", []wrong{{0, 3, `"was" needs "buckets": ` + whyWas}}},
		{"was=100+50", []wrong{{0, 3, `"was" needs "buckets": ` + whyWas}}},
		{"pk,was=tenant", []wrong{{3, 6, `"pk" and "was=tenant" exclude each other: stored documents are found by this property, or the service knows it by its name; keep the name, or move the documents to a new type`}}},
		{"id,next=key", []wrong{{3, 7, `"id" and "next=key" exclude each other: stored documents are found by this property, or the service knows it by its name; keep the name, or move the documents to a new type`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=day", []wrong{{34, 37, `"day" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"was=name+name", []wrong{{9, 13, `"name" occurs here twice: write each name once, the newest first`}}},
		{"was=name+", []wrong{{4, 9, `a name is missing: write JSON names, joined by "+", as in "was=fullName+name"`}}},
		{"was=full/name", []wrong{{4, 13, `the name "full/name" has a '/': names of other releases are of letters, digits, and _ - . : $ @ #; give the property of old documents another name by a program`}}},
		{"next=name+title", []wrong{{5, 15, `the next release stores the property under one name: write one, as in "next=name"`}}},
		{"was=name,next=name", []wrong{{4, 8, `"name" is the next name as well: write it after one of "was" and "next"`}}},
		{"alias=name", []wrong{{0, 5, `unknown word "alias": write "was=OLD" for a name that stored documents have for the property, or "next=NEW" for the one that the next release stores`}}},
	})
}

func TestErrorsOfGrowth(t *testing.T) {
	checkGolden(t, fieldErrors, []golden{
		{"pk,was=100", []wrong{{3, 6, `"was" needs "buckets": ` + whyWas}}},
		{"pk,next=400", []wrong{{3, 7, `"next" needs "buckets": ` + whyNext}}},
		{"pk,randomsuffix,buckets=400,was=100", []wrong{{28, 31, `"randomsuffix" and "was" exclude each other: documents keep their random suffixes, so none has to move; remove "was"`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=400", []wrong{{34, 37, `400 is not below the 400 buckets of this release: bucket counts only grow; write only counts of earlier releases`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=500+400", []wrong{{34, 41, `500 is not below the 400 buckets of this release: bucket counts only grow; write only counts of earlier releases`}}},
		{"pk,hashsuffix=VIN,buckets=400,next=400", []wrong{{35, 38, `400 is not above the 400 buckets of this release: bucket counts only grow; write a greater count, or remove "next"`}}},
		{"pk,randomsuffix,buckets=400,next=100", []wrong{{33, 36, `100 is not above the 400 buckets of this release: bucket counts only grow; write a greater count, or remove "next"`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=100+100", []wrong{{38, 41, `100 occurs here twice: write each bucket count once`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=50+100", []wrong{{37, 40, `100 comes after 50: bucket counts only grow; write the greatest first, and the oldest last`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=200+", []wrong{{38, 38, `"" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"pk,hashsuffix=VIN,buckets=400,was=200 + 100", []wrong{
			{34, 38, `spaces around "200": write numbers and "+" without spaces`},
			{39, 43, `spaces around "100": write numbers and "+" without spaces`},
		}},
		{"pk,hashsuffix=VIN,buckets=400,was=1", []wrong{{34, 35, `"1" buckets are too few: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"pk,hashsuffix=VIN,buckets=400,was", []wrong{{30, 33, `"was" needs a value, as in "pk,hashsuffix=VIN,buckets=400,was=200+100"`}}},
		{"pk,hashsuffix=VIN,buckets=400,next=x", []wrong{{35, 36, `"x" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"pk,hashsuffix=VIN,buckets=x,was=100", []wrong{{26, 27, `"x" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
	})
	checkGolden(t, typeErrors, []golden{
		{"was=100", []wrong{{0, 3, `"was" needs "key": ` + whyWasKey}}},
		{"next=400", []wrong{{0, 4, `"next" needs "key": ` + whyNextKey}}},
		{"key={Date},was=100", []wrong{{15, 18, `the template has no bucket, so there is no bucket count: remove "was"`}}},
		{"key={Date},next=100", []wrong{{16, 19, `the template has no bucket, so there is no bucket count: remove "next"`}}},
		{"key={Date}.{*%400},was=100", []wrong{{23, 26, `the bucket is random, and documents keep their random suffixes, so none has to move; remove "was"`}}},
		{"key={Date}.{VIN%100},was=400", []wrong{{25, 28, `400 is not below the 100 buckets of this release: bucket counts only grow; write only counts of earlier releases`}}},
		{"next=50,key={Date}.{*%100}", []wrong{{5, 7, `50 is not above the 100 buckets of this release: bucket counts only grow; write a greater count, or remove "next"`}}},
	})
}

func TestGrowthOfTemplates(t *testing.T) {
	for tag, want := range map[string]Type{
		"key={Date}.{VIN%400},was=200+100": {Was: []int{200, 100}},
		"next=800,key={Date}.{VIN%400}":    {Next: 800},
		"key={Date}.{*%100},next=400":      {Next: 400},
	} {
		got, errs := ParseType(tag)
		for _, err := range errs {
			t.Errorf("%q: offset %d: %v", tag, err.Offset, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Type{}), cmpopts.IgnoreFields(Type{}, "Key", "KeyPaths")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tag, diff)
		}
	}
}
