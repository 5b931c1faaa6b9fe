package system

import (
	"testing"
	"time"
)

func TestExpiry(t *testing.T) {
	day := int32(86400)
	for _, tt := range []struct {
		name    string
		expiry  Expiry
		ttl, ts string
		at      int64
		left    string // 30 seconds after it was written
	}{
		{"nothing expires", ExpiryOf[int32](nil), "100", "1000", 0, ""},
		{"the default", ExpiryOf(&day), "", "1000", 87400, "86370"},
		{"its own", ExpiryOf(&day), "100", "1000", 1100, "70"},
		{"its own alone", -1, "100", "1000", 1100, "70"},
		{"none of its own", -1, "", "1000", 0, ""},
		{"for ever", ExpiryOf(&day), "-1", "1000", 0, ""},
		{"over", ExpiryOf(&day), "20", "1000", 1020, "1"},
		{"in this second", ExpiryOf(&day), "30", "1000", 1030, "1"},
		{"null", ExpiryOf(&day), "null", "1000", 87400, "86370"},
		{"text", ExpiryOf(&day), `"100"`, "1000", 87400, "86370"},
		{"with white space", -1, " 100\n", "\t1000 ", 1100, "70"},
		{"never written", ExpiryOf(&day), "100", "", 0, ""},
	} {
		ttl, ts := []byte(tt.ttl), []byte(tt.ts)
		if at := tt.expiry.At(ttl, ts); at != tt.at {
			t.Errorf("%s: expires at %d, want %d", tt.name, at, tt.at)
		}
		if left := string(tt.expiry.Left(ttl, ts, time.Unix(1030, 0))); left != tt.left {
			t.Errorf("%s: %q is left, want %q", tt.name, left, tt.left)
		}
		if left := tt.expiry.Left(ttl, ts, time.Time{}); left != nil {
			t.Errorf("%s: %q is left at an unknown time", tt.name, left)
		}
		if expires := tt.expiry.Expires(ttl); expires != (tt.at > 0 || tt.ts == "") {
			t.Errorf("%s: expires is %t", tt.name, expires)
		}
	}
}
