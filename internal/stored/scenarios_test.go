package stored

import "slices"

// scenarios are all that are recorded.
var scenarios = slices.Concat(rideScenarios, tripScenarios, userScenarios, memberScenarios, bookingScenarios, visitScenarios, processorScenarios, cursorScenarios)
