package partition

import (
	"math"
	"strings"
	"testing"
	"unicode/utf16"
)

// epkV1Vectors are from the tests of Microsoft's SDKs: azure-sdk-for-js,
// sdk/cosmosdb/cosmos/test/internal/unit/hashing/v1.spec.ts; azure-sdk-for-rust,
// effective_partition_key_hash_v1 in azure_data_cosmos_driver; azure-sdk-for-java,
// PartitionKeyInternalTest, hashEffectivePartitionKey and
// managedNativeCompatibility, which agrees with the service.
var epkV1Vectors = []struct {
	name   string
	values []any
	want   string
}{
	{"js word", []any{"partitionKey"}, "05C1E1B3D9CD2608716273756A756A706F4C667A00"},
	{"js other word", []any{"redmond"}, "05C1EFE313830C087366656E706F6500"},
	{"js empty string", []any{""}, "05C1CF33970FF80800"},
	{"js two letters", []any{"aa"}, "05C1C7B7270FE008626200"},
	{"js null", []any{nil}, "05C1ED45D7475601"},
	{"js true", []any{true}, "05C1D7C5A903D803"},
	{"js false", []any{false}, "05C1DB857D857C02"},
	{"js undefined", []any{Undefined{}}, "05C1D529E345DC00"},
	{"js 5", []any{5}, "05C1D9C1C5517C05C014"},
	{"js 5.5", []any{5.5}, "05C1D7A771716C05C016"},
	{"js 12313.1221", []any{12313.1221}, "05C1ED154D592E05C0C90723F50FC925D8"},
	{"js 123456789", []any{123456789}, "05C1D9E1A5311C05C19DB7CD8B40"},
	{"rust 1024 letters", []any{strings.Repeat("a", 1024)}, "05C1EB5921F70608" + strings.Repeat("62", 100) + "00"},
	{"rust -128", []any{-128}, "05C1D73349F54C053FA0"},
	{"rust 127", []any{127}, "05C1DD539DDFCC05C05FE0"},
	{"rust smallest long", []any{int64(math.MinInt64)}, "05C1DB35F33D1C053C20"},
	{"rust largest long", []any{int64(math.MaxInt64)}, "05C1B799AB2DD005C3E0"},
	{"rust smallest int", []any{math.MinInt32}, "05C1DFBF252BCC053E20"},
	{"rust largest int", []any{math.MaxInt32}, "05C1E1F503DFB205C1DFFFFFFFFC"},
	{"rust epsilon", []any{math.SmallestNonzeroFloat64}, "05C1E5C91F4D3005800101010101010102"},
	{"rust largest double", []any{math.MaxFloat64}, "05C1CBE367C53005FFEFFFFFFFFFFFFFFE"},
	{"java six values", []any{2, true, false, nil, Undefined{}, "Привет!"}, "05C1D19581B37C05C0000302010008D1A0D281D1B9D1B3D1B6D2832200"},
	{"java as the service", []any{"по-русски", nil, true, false, Undefined{}, 5.5}, "05C1D39FA55F0408D1C0D1BF2ED281D284D282D282D1BBD1B9000103020005C016"},
	{"java latin 99", []any{latin(99)}, "05C19B2DC38FC008" + raised(latin(99)) + "00"},
	{"java latin 100", []any{latin(100)}, "05C1DD5D81496408" + raised(latin(100)) + "00"},
	{"java latin 101", []any{latin(101)}, "05C1DD5D81496408" + raised(latin(100)) + "00"},
	{"java latin 116", []any{latin(116)}, "05C1DD5D81496408" + raised(latin(100)) + "00"},
	{"java cyrillic 49", []any{cyrillic(49)}, "05C1C1BD37FE08" + raised(cyrillic(49)) + "00"},
	{"java cyrillic 50", []any{cyrillic(50)}, "05C1B339EF472008" + raised(cyrillic(50)) + "00"},
	{"java cyrillic 51", []any{cyrillic(51)}, "05C1EB1F29DBFA08" + raised(cyrillic(51))[:202]},
	{"java cyrillic 99", []any{cyrillic(99)}, "05C1E72F79C71608" + raised(cyrillic(51))[:202]},
	{"java cyrillic 100", []any{cyrillic(100)}, "05C1E3653D9F3E08" + raised(cyrillic(51))[:202]},
	{"java cyrillic 101", []any{cyrillic(101)}, "05C1E3653D9F3E08" + raised(cyrillic(51))[:202]},
}

// latin and cyrillic are the beginnings of the long strings of the Java SDK's test.
func latin(n int) string {
	return strings.Repeat("abcdefghijklmnopqrstuvwxyz", 5)[:n]
}

func cyrillic(n int) string {
	return string([]rune(strings.Repeat("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", 4))[:n])
}

// raised is the bytes of s, each greater by one, in hexadecimal.
func raised(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i] + 1
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&0xF])
	}
	return b.String()
}

func TestEPKV1GivesMicrosoftsVectors(t *testing.T) {
	for _, tt := range epkV1Vectors {
		t.Run(tt.name, func(t *testing.T) {
			got, err := EPKV1(tt.values...)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("EPKV1(%.40v) = %s, want %s", tt.values, got, tt.want)
			}
			if c := CompareEPK(got, "FF"); c != -1 {
				t.Errorf("CompareEPK(key, %q) = %d, want -1", "FF", c)
			}
		})
	}
}

func TestEPKV1RefusesOtherTypes(t *testing.T) {
	for _, tt := range []struct {
		values []any
		want   string
	}{
		{nil, "no values"},
		{[]any{"a", []byte("b")}, "value 2 of the key is a []uint8"},
	} {
		got, err := EPKV1(tt.values...)
		if err == nil || got != "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("EPKV1(%v) = %q, %v, want an error with %q", tt.values, got, err, tt.want)
		}
	}
}

// TestEPKV1LooksAtTheBeginning has strings that differ in their 101st UTF-16 unit,
// or in a pair of which version 1 sees one half.
func TestEPKV1LooksAtTheBeginning(t *testing.T) {
	long := strings.Repeat("é", 99)
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{long + "ab", long + "ac", true},
		{long + "ab", long + "bb", false},
		{long + "😀", long + "😁", true},
		{long + "😀", long + "\uFFFDx", true},
		{long[:196] + "😀x", long[:196] + "😀y", true},
		{long[:196] + "😀", long[:196] + "😁", false},
	} {
		a, errA := EPKV1(tt.a)
		b, errB := EPKV1(tt.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if (a == b) != tt.same {
			t.Errorf("%d and %d units: %s and %s", len(utf16.Encode([]rune(tt.a))), len(utf16.Encode([]rune(tt.b))), a, b)
		}
	}
}

func FuzzEPKV1(f *testing.F) {
	f.Add("", 0.0, true)
	f.Add(strings.Repeat("x", 300), math.Inf(1), false)
	f.Add(strings.Repeat("😀", 60), -1.5, false)
	f.Fuzz(func(t *testing.T, s string, n float64, b bool) {
		for _, v := range []any{s, n, b} {
			got, err := EPKV1(v)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(got, "05") || len(got)%2 != 0 || strings.Trim(got, "0123456789ABCDEF") != "" || CompareEPK(got, "FF") != -1 {
				t.Fatalf("EPKV1(%q) = %q", v, got)
			}
		}
	})
}
