package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// A result is one line of results: what a check tried of an SDK, and what came
// of it. Every program writes such lines; package interop/table makes a table of them.
type result struct {
	SDK        string   `json:"sdk"`
	Area       string   `json:"area"`
	Operations []string `json:"operations"`
	Check      string   `json:"check"`
	Result     string   `json:"result"`
	Error      string   `json:"error,omitempty"`
}

// record adds the result of read to the results of a language in a folder. It
// does nothing without a folder.
func record(folder, sdk string, found int, failure error) error {
	if folder == "" {
		return nil
	}
	line := result{
		SDK: sdk, Area: "printed key functions", Operations: []string{"Go reads what the SDK wrote"},
		Check: "Go reads documents by their keys", Result: "works",
	}
	if failure != nil || found == 0 {
		line.Result, line.Error = "fail", "see the output of keys read"
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, sdk+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(text, '\n')); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
