// Package approve holds ways to ask whether a request that needs approval may
// go ahead: a person at the terminal, a program's own function, a fixed
// answer, and a chain of ways.
//
// Each way is a paddock.Approver and says with its Decision how sure one can be
// that a person agreed; the Guard takes no answer below the policy's floor. A
// way that has no means of asking at all (no terminal, nobody logged in)
// returns a *CannotAsk and a Chain goes on to the next. Every other error ends
// the question, and no error is ever a yes.
package approve
