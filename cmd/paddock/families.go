package main

import "paddock/tool"

// toolsFlag chooses which tools an agent is given.
type toolsFlag struct {
	Tools string `name:"tools" enum:"rules,context,all" default:"rules" help:"Which tools to give: rules (one for each verb: ls, read_file, …), context (one for each area, with an operation: file_tool, directory_tool, search_tool), or all."`
}

// chosen are the tools of the families that the flag names.
func (f *toolsFlag) chosen() []tool.Tool {
	switch f.Tools {
	case "context":
		return tool.Context()
	case "all":
		return allTools()
	default:
		return tool.Rules()
	}
}

// allTools are the tools of both families.
func allTools() []tool.Tool { return append(tool.Rules(), tool.Context()...) }
