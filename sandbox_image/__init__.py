"""The images of sandboxes and their proxy: what they are called, which guest protocol is spoken.

Cheap to import (standard library only), so that the application can ask for the tags of the
images that fit this checkout; `sandbox_image.build` makes them.
"""

from sandbox_image.contents import PROTOCOL, REPOSITORIES, Profile, image_tag, proxy_tag

__all__ = ["PROTOCOL", "REPOSITORIES", "Profile", "image_tag", "proxy_tag"]
