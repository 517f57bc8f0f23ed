// Package sandbox runs processes that the kernel confines to a policy.
//
//	plan := sandbox.NewPlan(p, sandbox.Look(), own)
//	process, err := plan.Start(ctx, sandbox.Command{Argv: []string{"make", "test"}, Stdout: os.Stdout})
//	result, err := process.Wait()
//
// It works in three steps. NewPlan is a pure function: it tells for each entry
// of a policy how the kernel can hold it here, and why not where it cannot.
// Start launches a command: the program executes itself again as the first
// process of new namespaces, builds a file system of its own that holds the
// system's programs and the policy's entries and nothing else, takes every
// capability away, and starts the command under Landlock and a list of system
// calls that are refused. Report tells what was achieved, as read back from the
// kernel, not as intended.
//
// Nothing here is best effort. What the policy demands and this machine cannot
// give makes Start fail; a command never runs with less.
//
// A program that uses the package calls MaybeInit first thing in main.
package sandbox
