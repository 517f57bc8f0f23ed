package tool

import "slices"

// Takes tells whether an argument goes with an operation of the context family.
func Takes(tool, operation, name string) bool {
	takes := map[string]map[string][]string{"file_tool": fileTakes, "directory_tool": directoryTakes, "search_tool": searchTakes}
	return name == "path" || slices.Contains(takes[tool][operation], name)
}
