package charge

import "testing"

func TestCharges(t *testing.T) {
	for _, test := range []struct {
		kilobytes   int
		read, write float64
	}{{1, 1, 5}, {100, 10, 50}} {
		if got := Read(test.kilobytes * 1024); got != test.read {
			t.Errorf("reading %d KB costs %v, want %v", test.kilobytes, got, test.read)
		}
		if got := Write(test.kilobytes * 1024); got != test.write {
			t.Errorf("writing %d KB costs %v, want %v", test.kilobytes, got, test.write)
		}
	}
	if Read(0) != 1 || Page(1, 0) != QueryFloor {
		t.Error("nothing is not charged with the floor")
	}
}
