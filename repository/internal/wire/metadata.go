package wire

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// metadataAnswers is the policy that refuses incomplete answers about the account, databases,
// containers, physical partitions and throughput. azcosmos reads most of these for
// itself and keeps them. The policy comes after the retries, which send the request
// again as after a connection that broke.
type metadataAnswers struct{}

// Do implements policy.Policy.
func (metadataAnswers) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		return response, err
	}
	check := metadataCheck(r.Raw())
	if check == nil {
		return response, nil
	}
	body, err := azruntime.Payload(response) // it was read before
	if err == nil {
		err = check(response.Header, body)
	}
	return response, err
}

// metadataCheck returns what checks the answer to a request, nil for one that is
// not about metadata, or whose answer nobody reads.
func metadataCheck(r *http.Request) func(http.Header, []byte) error {
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	var levels [6]string // dbs, its id, colls, its id, pkranges or docs, an id
	depth := 0
	for ; rest != "" && depth < len(levels); depth++ {
		levels[depth], rest, _ = strings.Cut(rest, "/")
	}
	query := r.Header.Get("Content-Type") == "application/query+json"
	switch kind, nested := levels[0], levels[2]; {
	case r.Method == http.MethodDelete || r.Header.Get("Prefer") == "return=minimal":
		return nil
	case depth == 0 && r.Method == http.MethodGet:
		return func(_ http.Header, body []byte) error { return checkAccount(body) }
	case kind == "offers" && depth == 1 && query:
		return listCheck("Offers")
	case kind == "offers" && depth == 2:
		return func(_ http.Header, body []byte) error { return checkOffer(body) }
	case kind == "dbs" && depth == 2 && r.Method == http.MethodGet:
		return namedCheck(checkNamed, levels[1])
	case kind == "dbs" && nested == "colls" && depth == 3 && r.Method == http.MethodPost && !query:
		return namedCheck(checkContainer, "")
	case kind == "dbs" && nested == "colls" && depth == 4:
		return namedCheck(checkContainer, levels[3])
	case kind == "dbs" && nested == "colls" && depth == 5 && levels[4] == "pkranges":
		return checkRanges
	default:
		return nil
	}
}

// checkRanges returns an error unless an answer is a page of physical partitions and says
// after which ETag they go on: without it azcosmos would begin again, and have each of them
// twice.
func checkRanges(header http.Header, body []byte) error {
	if header.Get("ETag") == "" {
		return &brokenAnswerError{"it has no ETag, after which the physical partitions go on"}
	}
	return checkList(header, body, "PartitionKeyRanges", countUnknown)
}

func listCheck(name string) func(http.Header, []byte) error {
	return func(header http.Header, body []byte) error { return checkList(header, body, name, countUnknown) }
}

func namedCheck(check func([]byte, string) error, name string) func(http.Header, []byte) error {
	return func(_ http.Header, body []byte) error { return check(body, name) }
}

// checkNamed returns an error unless body is an object with this id or RID, which
// is as a path has it. An empty one is any.
func checkNamed(body []byte, escaped string) error {
	if !text.Complete(body) {
		return &brokenAnswerError{"it has no whole object"}
	}
	name, err := url.PathUnescape(escaped)
	id, rid := text.Member(body, IDPath[0]), text.Member(body, RIDPath[0])
	if err != nil || id == nil || rid == nil || name != "" && !text.Spells(id, name) && !text.Spells(rid, name) {
		return &brokenAnswerError{"it is about something else, or nothing"}
	}
	return nil
}

// checkContainer returns an error unless body is a container of this name, which
// is as a path has it. An empty one is any.
func checkContainer(body []byte, escaped string) error {
	if err := checkNamed(body, escaped); err != nil {
		return err
	}
	if len(text.Elements(text.ValueAt(body, []string{"partitionKey", "paths"}))) == 0 {
		return &brokenAnswerError{"it has a container without a partition key"}
	}
	return nil
}

// checkAccount returns an error unless body is an account, which has an id and regions.
// azcosmos keeps an error of it for five minutes.
func checkAccount(body []byte) error {
	if !text.Complete(body) || text.Member(body, "id") == nil && text.Member(body, "writableLocations") == nil {
		return &brokenAnswerError{"it has no account"}
	}
	return nil
}

// checkOffer returns an error unless body is an offer, as throughput is called on
// the wire.
func checkOffer(body []byte) error {
	if !text.Complete(body) || !text.Complete(text.Member(body, "content")) {
		return &brokenAnswerError{"it has no throughput"}
	}
	return nil
}

// A client may be without the policy. What follows checks the answers that are
// read here.

// ContainerAnswer returns err, or why an answer about a container is broken.
func ContainerAnswer(response azcosmos.ContainerResponse, id string, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(response.RawResponse)
	if err != nil {
		return err
	}
	return checkContainer(body, url.PathEscape(id))
}

// ContainersAnswer returns err, or why a page of containers is broken.
func ContainersAnswer(page azcosmos.QueryContainersResponse, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(page.RawResponse)
	if err != nil {
		return err
	}
	return checkList(page.RawResponse.Header, body, "DocumentCollections", countUnknown)
}

// DatabasesAnswer returns err, or why a page of databases is broken.
func DatabasesAnswer(page azcosmos.QueryDatabasesResponse, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(page.RawResponse)
	if err != nil {
		return err
	}
	return checkList(page.RawResponse.Header, body, "Databases", countUnknown)
}

// ThroughputAnswer returns err, or why an answer about throughput is broken.
// azcosmos makes an error of status 404 of a list without an offer.
func ThroughputAnswer(response azcosmos.ThroughputResponse, err error) error {
	var refused *azcore.ResponseError
	switch {
	case err == nil:
		body, err := azruntime.Payload(response.RawResponse)
		if err != nil {
			return err
		}
		return checkOffer(body)
	case IsAnswered(err) && errors.As(err, &refused):
		body, readErr := azruntime.Payload(refused.RawResponse)
		if readErr != nil {
			return readErr
		}
		if refusal := checkList(refused.RawResponse.Header, body, "Offers", countUnknown); refusal != nil {
			return refusal
		}
		return err
	default:
		return Unparsed(err)
	}
}

// IsAnswered reports whether azcosmos made an error of an answer of status 200, as it does
// of a list without an offer.
func IsAnswered(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.RawResponse != nil && strings.HasPrefix(refused.RawResponse.Status, "200 ")
}
