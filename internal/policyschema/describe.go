package policyschema

// about is what an editor shows of a key.
type about struct {
	text  string
	words []string // the values, where the Go type does not say them
}

// descriptions says what each key does, by type and key.
func descriptions() map[string]about {
	all := map[string]about{}
	for _, part := range []map[string]about{ofContext(), ofParts(), ofWorker()} {
		for key, value := range part {
			all[key] = value
		}
	}
	return all
}

func say(text string, words ...string) about { return about{text, words} }

func ofContext() map[string]about {
	return map[string]about{
		"SecurityContext.version":              say("The version of this form. Always 1."),
		"SecurityContext.name":                 say("Shown in messages and approval questions. Default: default."),
		"SecurityContext.paths":                say("The mounts: which folders the agent sees, under which name, with which rights. One has slug root."),
		"SecurityContext.unrestricted_paths":   say("true: no mounts and no restriction of places. Only without paths."),
		"SecurityContext.denied_path_regex":    say("Patterns in the .gitignore dialect, relative to the root mount. What matches is as good as absent."),
		"SecurityContext.denied_names":         say("hidden (default): a denied name is absent everywhere. locked: it is listed and can't be opened."),
		"SecurityContext.permissions":          say("Rights of a mount without allowed_permission, and of requests without a path. Default: read."),
		"SecurityContext.rules":                say("Allow, deny or interrupt by path; the first that matches decides. Rules only take away."),
		"SecurityContext.allowed_commands":     say("Commands that may run. If there are any, all others may not, unless unlisted_commands says so."),
		"SecurityContext.denied_commands":      say("Commands that may not run; wins over all else. Default: ten dangerous ones, named by the word default."),
		"SecurityContext.ask_commands":         say("Commands that need approval even where they are allowed."),
		"SecurityContext.unlisted_commands":    say("What becomes of a command that no list names. Default: deny if there are allowed_commands, else allow."),
		"SecurityContext.require_approval_for": say("Rights that need approval on a mount without required_permission, and on requests without a path. Default: none."),
		"SecurityContext.interrupt_on":         say("Tools whose every call waits for approval."),
		"SecurityContext.approval":             say("Who is asked, and for how long."),
		"SecurityContext.network":              say("Which hosts may be reached. Nothing by default. Not enforced by this version."),
		"SecurityContext.limits":               say("Bounds on a command of paddock run; output is not enforced by this version."),
		"SecurityContext.interpreter":          say("Settings of the eval tool. Not enforced by this version."),
		"SecurityContext.workers":              say("Narrower contexts for subagents, by name."),

		"PathEntry.path":                say("The folder or file, relative to this file. Not for memory and store."),
		"PathEntry.slug":                say("The mount's name: the agent sees /slug/... Letters, digits, ., _ and -. Exactly one is root."),
		"PathEntry.backend":             say("Where the files are: disk (default), memory, store, sandbox, or one of your own."),
		"PathEntry.allowed_permission":  say("What may be granted here. Default: permissions; none for a mount inside another."),
		"PathEntry.required_permission": say("What of it needs approval. Default: as the mount around it, else require_approval_for."),
		"PathEntry.denied_permission":   say("What is denied whatever else is said. Default: as the mount around it, else nothing."),
		"PathEntry.denied_path_regex":   say("Patterns in the .gitignore dialect, relative to this mount. They hold in mounts inside it too."),

		"Rule.operations": say("read; or write, which covers delete."),
		"Rule.paths":      say("Globs of virtual paths. Each begins with /; ** crosses folders; {a,b} is either."),
		"Rule.mode":       say("Default: allow. interrupt waits for approval."),
	}
}

func ofParts() map[string]about {
	return map[string]about{
		"Approval.chain":    say("Ways to ask, the first that answers decides. This version knows terminal, auto and auto_deny.", "terminal", "inbox", "elicit", "delegate", "webhook", "hook", "interrupt", "auto", "auto_deny"),
		"Approval.timeout":  say("How long a question stands. No answer in time is a no."),
		"Approval.at_least": say("The least assurance of a yes, by right: program, host or person."),

		"Network.allow":        say("Hosts that may be reached: host, host:port or *.domain:port."),
		"Network.deny":         say("Hosts that may not, even where allow covers them."),
		"Network.credentials":  say("Secrets that are added to requests outside the sandbox."),
		"Network.unix_sockets": say("pairs (default): only socket pairs. inside: sockets among the agent's own commands.", "pairs", "inside"),
		"Credential.host":      say("The host to which the secret is sent, and no other."),
		"Credential.header":    say("The HTTP header that carries it, such as Authorization."),
		"Credential.env":       say("The variable of paddock's own environment that holds the secret."),
		"Credential.file":      say("The file that holds the secret, in place of env."),
		"Credential.format":    say("How the header's value is made of the secret."),

		"Limits.timeout":   say("The longest a command may run."),
		"Limits.memory":    say("The most memory a command may use."),
		"Limits.processes": say("The most processes a command may have."),
		"Limits.output":    say("The most output of a command that is kept."),
		"Limits.exec":      say("anywhere (default), or mounts-only: no program outside the mounts and the system runs.", "anywhere", "mounts-only"),

		"Interpreter.ptc":     say("Tools that code may call."),
		"Interpreter.timeout": say("The longest a call may run."),
		"Interpreter.memory":  say("The most memory a call may use."),
		"Interpreter.clock":   say("none (default): Date.now() is constant. coarse: it is not.", "none", "coarse"),
	}
}

// ofWorker repeats the context's keys with what is different for a worker.
func ofWorker() map[string]about {
	const narrower = " Adds to what the parent says; can't widen it."
	all := map[string]about{
		"Worker.description":     say("What the worker is for."),
		"Worker.rules":           say("The worker's own rules in place of the parent's. The parent's denials and approvals still hold."),
		"Worker.rules_may_widen": say("true: the parent's rules do not hold for the worker. Only in a policy that a person names."),
		"Worker.paths":           say("The worker's mounts, inside the parent's. Default: the parent's."),
	}
	for _, key := range []string{
		"denied_path_regex", "permissions", "allowed_commands", "denied_commands", "ask_commands", "unlisted_commands",
		"require_approval_for", "interrupt_on", "approval", "network", "limits", "interpreter", "unrestricted_paths",
	} {
		all["Worker."+key] = say("As for the whole policy." + narrower)
	}
	return all
}
