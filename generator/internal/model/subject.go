package model

import "github.com/cosmos-pkgen/pkgen/generator/internal/facts"

// subject is a document whose model is being made.
type subject struct{ *facts.Document }
