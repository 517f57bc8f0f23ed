package wire

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"paddock"
	"paddock/audit"
	"paddock/internal/trust"
)

// StepLoaded is the step of the event that says which policy began to decide.
const StepLoaded paddock.Step = "loaded"

// RecordFolder is where the audit log lies in a state folder.
func RecordFolder(state string) string { return filepath.Join(state, "audit") }

// record opens the audit log and says in it which policy is at work.
func record(s *Source, state string) (*audit.Log, error) {
	log, err := audit.Open(RecordFolder(state), audit.Options{})
	if err != nil {
		return nil, fmt.Errorf("%w; `paddock audit verify` tells more", err)
	}
	how := "found and not trusted"
	if s.Trusted {
		how = "trusted"
	}
	e := paddock.Event{Time: time.Now(), Step: StepLoaded, Real: s.Real, Asked: "load the policy " + trust.Digest(s.Real, s.Content), Verdict: how}
	if err := log.Record(context.Background(), e); err != nil {
		_ = log.Close() // what failed is told
		return nil, err
	}
	return log, nil
}
