package cosmossql

import "testing"

func TestKeyword(t *testing.T) {
	for name, want := range map[string]string{
		"order": "ORDER", "Group": "GROUP", "true": "true", "TRUE": "", "total": "", "rank": "", "udf": "udf", "UDF": "",
	} {
		if got, reserved := Keyword(name); reserved != (want != "") || reserved && got != want {
			t.Errorf("%s: %q, %t", name, got, reserved)
		}
	}
}
