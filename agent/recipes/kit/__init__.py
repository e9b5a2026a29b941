"""Modules for the scripts of recipes, which run in the sandbox.

Those that a script imports are copied to `/workspace/kit` and imported there as
`kit.<module>`, so they use the standard library, each other and what the image has, and nothing of
this package.
"""
