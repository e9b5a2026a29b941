"""The sandbox image and its proxy's: what they are called, which guest protocol is spoken.

Cheap to import (standard library only), so that the application can ask for the tags of the
images that fit this checkout; `sandbox_image.build` makes them.
"""

from sandbox_image.contents import PROTOCOL, image_tag, proxy_tag

__all__ = ["PROTOCOL", "image_tag", "proxy_tag"]
