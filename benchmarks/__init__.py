"""Measures the sandbox beside its peers; `scripts/bench` runs it. See docs/performance.md."""
