package provision

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// droppedBy returns which properties of a container azcosmos would lose: it
// replaces a container by what its own type holds, so what that does not know is
// gone. System properties do not count, and nor do empty values and defaults.
func droppedBy(response azcosmos.ContainerResponse) ([]string, error) {
	body, err := runtime.Payload(response.RawResponse)
	if err != nil {
		return nil, err
	}
	var stored, sent map[string]any
	if err := json.Unmarshal(body, &stored); err != nil {
		return nil, err
	}
	known, err := json.Marshal(response.ContainerProperties)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(known, &sent); err != nil {
		return nil, err
	}
	var lost []string
	for name, value := range stored {
		if !strings.HasPrefix(name, "_") && !reflect.DeepEqual(value, unsentDefaults[name]) {
			lost = appendLost(lost, name, value, sent[name])
		}
	}
	slices.Sort(lost)
	return lost, nil
}

// unsentDefaults are the values of properties that azcosmos does not know, in
// containers where nobody has set them. The service takes a missing one for it.
var unsentDefaults = map[string]any{
	"geospatialConfig": map[string]any{"type": "Geography"},
	"backupPolicy":     map[string]any{"type": 1.0},
}

// appendLost appends the paths of what a value has and another does not.
func appendLost(lost []string, path string, stored, sent any) []string {
	switch stored := stored.(type) {
	case map[string]any:
		other, ok := sent.(map[string]any)
		if !ok && len(stored) > 0 {
			return append(lost, path)
		}
		for name, value := range stored {
			lost = appendLost(lost, path+"."+name, value, other[name])
		}
	case []any:
		other, _ := sent.([]any)
		if len(other) != len(stored) {
			return append(lost, path)
		}
		for i, value := range stored {
			lost = appendLost(lost, path+"["+strconv.Itoa(i)+"]", value, other[i])
		}
	default:
		empty := stored == nil || stored == "" || stored == false
		if !empty && stored != sent {
			return append(lost, path)
		}
	}
	return lost
}
