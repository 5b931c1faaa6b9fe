package partition

import (
	"math"
	"strings"
	"testing"
)

// epkVectors are rows of Microsoft's PartitionKeyHashBaselineTest files
// (azure-sdk-for-go, sdk/data/azcosmos/internal/epk/testdata), with the top
// two bits of each value's V2 hash cleared.
var epkVectors = []struct {
	name   string
	values []any
	want   string
}{
	{"undefined", []any{Undefined{}}, "11622DAA78F835834610ABE56EFF5CB5"},
	{"null", []any{nil}, "378867E4430E67857ACE5C908374FE16"},
	{"true", []any{true}, "0E711127C5B5A8E4726AC6DD306A3E59"},
	{"false", []any{false}, "2FE1BE91E90A3439635E0E9E37361EF2"},
	{"empty string", []any{""}, "32E9366E637A71B4E710384B2F4970A0"},
	{"short string", []any{"asdf"}, "208BF1D598F5B63AD5520F04FE58C5E8"},
	{"99 byte string", []any{strings.Repeat("a", 99)}, "3C02F609961C32AAC2B912B940D1209A"},
	{"101 byte string", []any{strings.Repeat("a", 101)}, "08042541D30C8BF90D7092B1519AE0BC"},
	{"2kb string", []any{strings.Repeat("a", 2048)}, "33E0AE996F53F2CD5DD5574ACAB3BF19"},
	{"positive zero", []any{0.0}, "155B95BEDAC4B1E9EC1CDC9BB0DDDE58"},
	{"negative zero", []any{math.Copysign(0, -1)}, "3D018BB1DF3DB27235766E81FD10406E"},
	{"one", []any{1.0}, "20CD98B339BA78A5D0CF6953B87070B0"},
	{"minus one", []any{-1.0}, "19938E7A936C1C5B9E3AE842BBC16839"},
	{"epsilon", []any{math.SmallestNonzeroFloat64}, "0E6CBA63A280927DE485DEF865800139"},
	{"largest double", []any{math.MaxFloat64}, "31424D996457102634591FF245DBCC4D"},
	{"NaN", []any{math.NaN()}, "1AA4222583D70ECAA0922D8CA8EDFCB1"},
	{"negative infinity", []any{math.Inf(-1)}, "1B63B3FB266DB3B6CD3BC79FE893CDE8"},
	{"largest long", []any{int64(math.MaxInt64)}, "2EDB959178DFCCA18983F89384D1629B"},
	{"largest long less 1", []any{int64(math.MaxInt64 - 1)}, "2EDB959178DFCCA18983F89384D1629B"},
	{"smallest long", []any{int64(math.MinInt64)}, "23D5C6395512BDFEAFADAD15328AD2BB"},
	{"largest safe integer", []any{int64(1<<53 - 1)}, "12C221C7032CED1F9E6693CE1428E6CF"},
	{"one level", []any{"/path1"}, "3499FD5198AE0F1EB6B77F6E428D2FF0"},
	{"two levels", []any{"/path1", "/path2"}, "3499FD5198AE0F1EB6B77F6E428D2FF027A1848BD1102A3B65AFF266874D0FF5"},
	{"three levels", []any{"/path1", "/path2", "/path3"},
		"3499FD5198AE0F1EB6B77F6E428D2FF027A1848BD1102A3B65AFF266874D0FF52CA5ABC953544CF9BD94776DA5E6EA52"},
}

func TestEPKGivesMicrosoftsVectors(t *testing.T) {
	for _, tt := range epkVectors {
		t.Run(tt.name, func(t *testing.T) {
			got, err := EPK(tt.values...)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("EPK(%.40v) = %s, want %s", tt.values, got, tt.want)
			}
			if c := CompareEPK(got, "FF"); c != -1 {
				t.Errorf("CompareEPK(key, %q) = %d, want -1", "FF", c)
			}
		})
	}
}

func TestEPKConvertsEveryNumericType(t *testing.T) {
	want, err := EPK(7.0)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		float32(7), 7, int8(7), int16(7), int32(7), int64(7),
		uint(7), uint8(7), uint16(7), uint32(7), uint64(7), uintptr(7),
	} {
		if got, err := EPK(v); err != nil || got != want {
			t.Errorf("EPK(%T(7)) = %q, %v, want %q", v, got, err, want)
		}
	}
}

func TestEPKRefusesOtherTypes(t *testing.T) {
	type named string
	for _, tt := range []struct {
		name   string
		values []any
		want   string
	}{
		{"no value", nil, "no values"},
		{"named type", []any{named("a")}, "value 1 of the key is a partition.named"},
		{"bytes", []any{"a", []byte("b")}, "value 2 of the key is a []uint8"},
		{"complex", []any{1i}, "value 1 of the key is a complex128"},
		{"pointer", []any{new(string)}, "value 1 of the key is a *string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := EPK(tt.values...)
			if err == nil || got != "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("EPK = %q, %v, want an error with %q", got, err, tt.want)
			}
		})
	}
}

func TestCompareEPK(t *testing.T) {
	const level = "06AB34CFE4E482236BCACBBF50E234AB"
	zeros := strings.Repeat("0", epkDigits)
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "00", 0},
		{"", "0001", -1},
		{level, level, 0},
		{"06AB34CFE4E48223", "06AB34CFE4E48224", -1},
		{level, level + zeros, 0},
		{level, level + zeros[1:] + "1", -1},
		{level + "FF", level + zeros, 1},
		{"3FFFFFFFFFFFFFFF", "FF", -1},
		{"05", "1", -1},
	} {
		if got := CompareEPK(tt.a, tt.b); got != tt.want {
			t.Errorf("CompareEPK(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := CompareEPK(tt.b, tt.a); got != -tt.want {
			t.Errorf("CompareEPK(%q, %q) = %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
}

// TestEPKOfPrefixIsPrefix holds what queries by the first levels of a
// hierarchical key rest on.
func TestEPKOfPrefixIsPrefix(t *testing.T) {
	values := []any{"tenant", 42, true}
	whole, err := EPK(values...)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len(values); n++ {
		prefix, err := EPK(values[:n]...)
		if err != nil {
			t.Fatal(err)
		}
		if len(prefix) != n*epkDigits || !strings.HasPrefix(whole, prefix) {
			t.Errorf("EPK of %d levels = %s, want the first %d digits of %s", n, prefix, n*epkDigits, whole)
		}
	}
}

func FuzzEPK(f *testing.F) {
	f.Add("", 0.0, true)
	f.Add("2018-08-09.126", 42.0, false)
	f.Add(strings.Repeat("x", 300), math.Inf(1), true)
	f.Fuzz(func(t *testing.T, s string, n float64, b bool) {
		got, err := EPK(s, n, b)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 3*epkDigits || strings.Trim(got, "0123456789ABCDEF") != "" {
			t.Fatalf("EPK = %q, want %d upper-case digits", got, 3*epkDigits)
		}
		for level := 0; level < len(got); level += epkDigits {
			if got[level] > '3' {
				t.Errorf("EPK = %q: the top two bits at digit %d are not clear", got, level)
			}
		}
	})
}

func BenchmarkEPK(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := EPK("2018-08-09.126"); err != nil {
			b.Fatal(err)
		}
	}
}
