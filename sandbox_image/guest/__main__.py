"""Starts the guest; `python3 -I` runs the folder that this file lies in."""

from sandbox_image.guest.main import main

main()
