"""PID 1 of the sandbox: standard library only."""
