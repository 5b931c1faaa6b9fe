package model

import "github.com/cosmos-pkgen/pkgen/generator/internal/facts"

// subject is a document of which a model is made.
type subject struct{ *facts.Document }
