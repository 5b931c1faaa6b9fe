package sqlwords_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/sqlwords"
)

func TestKeyword(t *testing.T) {
	for name, want := range map[string]string{
		"order": "ORDER", "Group": "GROUP", "true": "true", "TRUE": "", "total": "", "rank": "", "udf": "udf", "UDF": "",
	} {
		if got, reserved := sqlwords.Keyword(name); reserved != (want != "") || reserved && got != want {
			t.Errorf("%s: %q, %t", name, got, reserved)
		}
	}
}
