"""What is measured, beside what: each module has a `measure` that returns its part of RESULTS.md."""
