"""Modules for scripts that run in the sandbox; a recipe names those that go with its script.

They are copied to `/workspace/kit` and imported there as `kit.<module>`, so they use the standard
library, each other and what the image has, and nothing of this package.
"""
