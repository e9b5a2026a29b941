"""The frames between host and guest; both sides import this file."""

PROTOCOL = 1
