package function

import "slices"

// byName holds all functions by their names.
var byName = func() map[string]*Function {
	functions := map[string]*Function{}
	for _, f := range slices.Concat(
		arrayFunctions, conditionalFunctions, dateFunctions, fullTextFunctions, integerFunctions, mathFunctions,
		textFunctions, searchFunctions, convertFunctions, typeFunctions,
	) {
		functions[f.Name] = f
	}
	return functions
}()
