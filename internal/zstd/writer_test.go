package zstd

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"testing"
)

// packed returns a text as frames, which are written a piece at a time.
func packed(t testing.TB, frames ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range frames {
		w := NewWriter(&b)
		for len(text) > 0 {
			n := min(len(text), 70_001)
			if _, err := w.Write(text[:n]); err != nil {
				t.Fatal(err)
			}
			text = text[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// TestWriter packs texts, and reads them by Go's reader and by the program zstd, if it is
// there.
func TestWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var lines, few bytes.Buffer
	for i := range 60_000 {
		fmt.Fprintf(&lines, `{"id":"%d","vin":"VIN%017d","speed":%d,"at":"2018-08-09T12:%02d:00Z"}`+"\n", i, r.Uint32(), r.IntN(200), r.IntN(60))
		few.WriteByte("ab"[r.IntN(2)])
	}
	for name, text := range map[string][]byte{
		"empty": nil, "one": []byte("x"), "five": []byte("abcde"), "eleven": []byte("aaaaaaaaaaa"),
		"a block": bytes.Repeat([]byte("abcdefgh"), blockBytes/8), "zeros": make([]byte, 3*blockBytes+1),
		"noise": noise, "two letters": few.Bytes(), "documents": lines.Bytes(),
		"noise and zeros": append(append(noise[:100_000:100_000], make([]byte, 200_000)...), noise[:100_000]...),
	} {
		t.Run(name, func(t *testing.T) {
			small := packed(t, text, nil, text)
			want := append(append([]byte(nil), text...), text...)
			got, err := io.ReadAll(NewReader(bytes.NewReader(small)))
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, want %d: %v", len(got), len(want), err)
			}
			if name == "documents" && 2*len(small) > len(want) {
				t.Errorf("%d bytes become %d", len(want), len(small))
			}
			program, err := exec.LookPath("zstd")
			if err != nil {
				t.Log("NOT RUN: there is no program zstd")
				return
			}
			cmd := exec.Command(program, "-d", "-c")
			cmd.Stdin = bytes.NewReader(small)
			if got, err = cmd.Output(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("the program zstd reads %d bytes, want %d: %v", len(got), len(want), err)
			}
		})
	}
}

func FuzzWriter(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), uint16(3))
	f.Add([]byte(`{"id":"1","pk":"a"}{"id":"2","pk":"a"}`), uint16(9000))
	f.Fuzz(func(t *testing.T, piece []byte, times uint16) {
		text := bytes.Repeat(piece, int(times)%(1+(1<<21)/max(len(piece), 1)))
		got, err := io.ReadAll(NewReader(bytes.NewReader(packed(t, text))))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes, want %d: %v", len(got), len(text), err)
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	text := bytes.Repeat([]byte(`{"id":"1","vin":"VIN12345","speed":120,"at":"2018-08-09T12:00:00Z"}`+"\n"), 10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard)
		_, _ = w.Write(text)
		_ = w.Close()
	}
}
