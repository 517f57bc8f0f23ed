//go:build race

package sandbox_test

// raceDetector needs more memory in each process than the limits of some tests
// leave, and these limits are what they are about.
const raceDetector = true
