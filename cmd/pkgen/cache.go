package main

import (
	"os"
	"path/filepath"
)

// cacheVariable names the folder in which runs remember what they have formatted.
const cacheVariable = "PKGEN_CACHE"

// cacheDir returns that folder, or "" for no folder: the folder that the variable names,
// unless that is off, or else one among the user's caches.
func cacheDir() string {
	switch dir := os.Getenv(cacheVariable); dir {
	case "off":
		return ""
	case "":
	default:
		return dir
	}
	caches, err := os.UserCacheDir()
	if err != nil {
		return "" // a machine without a home has no caches either
	}
	return filepath.Join(caches, "pkgen")
}
