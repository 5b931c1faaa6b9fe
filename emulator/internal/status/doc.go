// Package status has the status and substatus codes of Azure Cosmos DB, and errors that
// carry them with the words of the service.
//
// It knows no HTTP server: the protocol turns an [Error] into an answer.
package status
