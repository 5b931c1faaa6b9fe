// Package usage adds up request units by tenant in bounded memory. It knows no
// documents and no requests.
package usage
