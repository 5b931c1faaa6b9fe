package wire

import (
	"context"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// planHeader makes a query a request for its plan, as the SDKs send it (getQueryPlan in
// ClientContext of @azure/cosmos 4.10.1, _GetQueryPlanThroughGateway of azure-cosmos 4.17.1).
// The features are those that package query supports: the service refuses a query whose plan
// needs other features.
var planHeader = http.Header{
	"X-Ms-Cosmos-Is-Query-Plan-Request":    {"True"},
	"X-Ms-Cosmos-Supported-Query-Features": {"Aggregate,CountIf,HybridSearch,NonStreamingOrderBy,OrderBy,Top,WeightedRankFusion"},
	"X-Ms-Cosmos-Query-Version":            {"1.4"},
}

// AskForPlan returns a context with which a query is not run, but returns its plan.
func AskForPlan(ctx context.Context) context.Context { return policy.WithHTTPHeader(ctx, planHeader) }

// PlanOf returns the plan in a page, which azcosmos reads as a page without documents.
func PlanOf(page Page) ([]byte, error) {
	body, err := azruntime.Payload(page.RawResponse) // the body was read before
	if err != nil {
		return nil, err
	}
	if !jsonscan.Complete(body) {
		return nil, &brokenAnswerError{"it has no whole plan"}
	}
	return body, nil
}
