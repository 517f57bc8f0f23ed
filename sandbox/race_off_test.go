//go:build !race

package sandbox_test

// raceDetector is off.
const raceDetector = false
