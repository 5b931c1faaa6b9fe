// Package status has the status and substatus codes of Azure Cosmos DB, and errors that carry
// them with the messages of the service.
//
// It does not depend on an HTTP server: the server converts an [Error] to a response.
package status
