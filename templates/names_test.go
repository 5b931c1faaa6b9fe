package templates

import (
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

func TestNames(t *testing.T) {
	tests := []struct {
		typ     Type
		file    string
		names   []string
		methods []string
	}{
		{
			Type{Name: "VehicleEvent", Source: "event.go"}, "vehicle_event_cosmos.go",
			[]string{"VehicleEventKeyLayout", "VehicleEventKey", "VehicleEventFields", "VehicleEventContainer",
				"EnsureVehicleEventContainer", "VehicleEventPendingRead", "VehicleEventMoveState", "vehicleEventModel", "VehicleEventRepository", "NewVehicleEventRepository"},
			[]string{"PartitionKey", "Key"},
		},
		{
			Type{Name: "event", Source: "event_test.go", NoMethods: true}, "event_cosmos_test.go",
			[]string{"eventKeyLayout", "eventKeyOf", "eventKey", "eventFields", "eventContainer", "ensureEventContainer", "eventPendingRead", "eventMoveState", "eventModel",
				"eventRepository", "newEventRepository"},
			nil,
		},
		{
			Type{Name: "HTTPLog", Source: "x_linux.go"}, "http_log_cosmos.go",
			[]string{"HTTPLogKeyLayout", "HTTPLogKey", "HTTPLogFields", "HTTPLogContainer", "EnsureHTTPLogContainer", "HTTPLogPendingRead", "HTTPLogMoveState", "httpLogModel",
				"HTTPLogRepository", "NewHTTPLogRepository"},
			[]string{"PartitionKey", "Key"},
		},
	}
	for _, test := range tests {
		if got := test.typ.FileName(); got != test.file {
			t.Errorf("%s: file %s, want %s", test.typ.Name, got, test.file)
		}
		if got := test.typ.Names(); !slices.Equal(got, test.names) {
			t.Errorf("%s: names %q, want %q", test.typ.Name, got, test.names)
		}
		if got := test.typ.MethodNames(); !slices.Equal(got, test.methods) {
			t.Errorf("%s: methods %q, want %q", test.typ.Name, got, test.methods)
		}
	}
}

func TestParameter(t *testing.T) {
	tests := []struct {
		taken []string
		field string
		want  string
	}{
		{nil, "VIN", "vin"},
		{nil, "DeviceID", "deviceID"},
		{nil, "HTTPMethod", "httpMethod"},
		{nil, "Type", "typ"},
		{[]string{"typ"}, "Type", "typeValue"},
		{nil, "Range", "rangeValue"},
		{nil, "Error", "errorValue"},
		{[]string{"ctx"}, "Ctx", "ctxValue"},
		{[]string{"ctx", "ctxValue"}, "Ctx", "ctxValue2"},
		{[]string{"partition"}, "Partition", "partitionValue"},
		{nil, "Partition_Of", "partitionOf"},
	}
	for _, test := range tests {
		taken := scope.Scope{Names: scope.Names{}}
		taken.Add(test.taken...)
		if got := taken.Parameter(test.field); got != test.want {
			t.Errorf("%s with %q taken: %s, want %s", test.field, test.taken, got, test.want)
		}
		if !taken.Names[test.want] {
			t.Errorf("%s is not taken", test.want)
		}
	}
}

func TestDocument(t *testing.T) {
	tests := []struct {
		taken []string
		typ   string
		want  string
	}{
		{nil, "VehicleEvent", "e"},
		{nil, "event", "e"},
		{[]string{"r"}, "Reading", "reading"},
		{[]string{"r"}, "VehicleReading", "reading"},
		{[]string{"r", "repository"}, "Repository", "doc"},
		{[]string{"r"}, "Range", "doc"},
		{nil, "Account", "account"},
		{[]string{"r"}, "R", "doc"},
		{nil, "Überweisung", "ü"},
		{nil, "HTTPLog", "l"},
		{nil, "__", "__"},
	}
	for _, test := range tests {
		taken := scope.Scope{Names: scope.Names{}}
		taken.Add(test.taken...)
		if got := taken.Document(test.typ); got != test.want {
			t.Errorf("%s with %q taken: %s, want %s", test.typ, test.taken, got, test.want)
		}
	}
}

func TestComment(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"short", "Key returns it.", "// Key returns it."},
		{"96 columns", "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii jjj",
			"// aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii jjj"},
		{"97 columns", "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii jjjj",
			"// aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii\n// jjjj"},
		{"line feed", "a\nb", "// a b"},
	}
	for _, test := range tests {
		if got := prose.Comment(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
