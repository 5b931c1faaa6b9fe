package repository_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

type ownPolicy struct{ name string }

func (ownPolicy) Do(r *policy.Request) (*http.Response, error) { return r.Next() }

func TestConfigure(t *testing.T) {
	c := repository.Configure(nil)
	if c.Retry.MaxRetries != 9 || c.Retry.MaxRetryDelay != 30*time.Second {
		t.Errorf("retries %d, delay %v", c.Retry.MaxRetries, c.Retry.MaxRetryDelay)
	}
	for _, status := range []int{408, 429, 449, 500, 502, 503, 504} {
		if !slices.Contains(c.Retry.StatusCodes, status) {
			t.Errorf("status %d is not retried", status)
		}
	}
	if c.Transport != nil {
		t.Error("the SDK's transport was replaced")
	}
	c.Retry.StatusCodes[0] = 1
	if repository.Configure(nil).Retry.StatusCodes[0] != 408 {
		t.Error("two configurations share a list of statuses")
	}
}

func TestConfigureKeepsTheCallersOptions(t *testing.T) {
	own := azcosmos.ClientOptions{EnableContentResponseOnWrite: true, PreferredRegions: []string{"West Europe"}}
	own.Retry = policy.RetryOptions{MaxRetries: -1, StatusCodes: []int{503}}
	own.PerRetryPolicies = make([]policy.Policy, 1, 8)
	own.PerRetryPolicies[0] = ownPolicy{"own"}
	c := repository.Configure(&own)
	if c.Retry.MaxRetries != -1 || !slices.Equal(c.Retry.StatusCodes, []int{503}) {
		t.Errorf("the caller's retries became %+v", c.Retry)
	}
	if !c.EnableContentResponseOnWrite || c.PreferredRegions[0] != "West Europe" {
		t.Errorf("options got lost: %+v", c)
	}
	if c.PerRetryPolicies[0] != own.PerRetryPolicies[0] {
		t.Error("the caller's policy is not first")
	}
	if own.PerRetryPolicies[:2][1] != nil || own.Retry.MaxRetryDelay != 0 || len(own.PerCallPolicies) != 0 {
		t.Errorf("the caller's own options were changed: %+v", own)
	}
	twice := repository.Configure(c)
	if len(twice.PerRetryPolicies) != len(c.PerRetryPolicies) || len(twice.PerCallPolicies) != len(c.PerCallPolicies) {
		t.Error("configuring twice adds the policies twice")
	}
}
