package advice

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Rule is a rule of the service's query advisor ("Query Advisor for Cosmos DB").
type Rule struct {
	ID      string
	Message string // what to do
}

// Rules are the rules of azure-cosmos for Python 4.17.1 (query_advice_rules.json), in our words.
var Rules = []Rule{
	{"QA1000", "instead of ARRAY_CONTAINS with a part of an element, use EXISTS with a subquery"},
	{"QA1001", "instead of DISTINCT over a JOIN, use EXISTS with a subquery"},
	{"QA1002", "CONTAINS reads every value in the index: if the text is a beginning, use STARTSWITH"},
	{"QA1003", "STARTSWITH and STRINGEQUALS that ignore case scan a part of the index: compare with a computed property of LOWER instead"},
	{"QA1004", "ENDSWITH reads every value in the index: use STARTSWITH on a computed property of REVERSE instead"},
	{"QA1005", "instead of an expression, group by a computed property of it"},
	{"QA1006", "a comparison of UPPER or LOWER reads every document: compare with a computed property of it instead"},
	{"QA1007", "GetCurrentDateTime in WHERE uses no index: use GetCurrentDateTimeStatic"},
	{"QA1008", "GetCurrentTicks in WHERE uses no index: use GetCurrentTicksStatic"},
	{"QA1009", "GetCurrentTimestamp in WHERE uses no index: use GetCurrentTimestampStatic"},
}

// linkPrefix is the address of the pages of rules, from the same file.
const linkPrefix = "https://aka.ms/CosmosDB/QueryAdvisor/"

// Entry is one recommendation for a query.
type Entry struct {
	Rule    string // such as "QA1002"; "" if the header has an unknown form
	Message string
	Link    string // "" without a rule
}

// ParseHeader reads the header x-ms-cosmos-query-advice: a URL-escaped JSON list of rules with
// parameters. Unknown rules, and headers of an unknown form, keep their text.
func ParseHeader(header string) []Entry {
	if header == "" {
		return nil
	}
	text, err := url.PathUnescape(header)
	if err != nil {
		text = header
	}
	var raw []json.RawMessage
	if json.Unmarshal([]byte(text), &raw) != nil {
		return []Entry{{Message: text}}
	}
	var entries []Entry
	for _, item := range raw {
		entries = append(entries, parseEntry(item))
	}
	return entries
}

func parseEntry(item json.RawMessage) Entry {
	var sent struct {
		ID     string   `json:"Id"`
		Params []string `json:"Params"`
	}
	if json.Unmarshal(item, &sent) != nil || !isRule(sent.ID) {
		return Entry{Message: string(item)}
	}
	e := Entry{Rule: sent.ID, Message: string(item), Link: linkPrefix + sent.ID}
	for _, rule := range Rules {
		if rule.ID == sent.ID {
			e.Message = rule.Message
			if len(sent.Params) > 0 {
				e.Message += " (" + strings.Join(sent.Params, ", ") + ")"
			}
		}
	}
	return e
}

// isRule reports whether a text may be the id of a rule, which ends a link.
func isRule(id string) bool {
	return id != "" && len(id) < 40 && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
