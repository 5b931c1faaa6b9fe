package stored

import "slices"

// scenarios are all that are recorded.
var scenarios = slices.Concat(rideScenarios, tripScenarios, userScenarios, memberScenarios, tenantScenarios, visitScenarios, processorScenarios, cursorScenarios)
