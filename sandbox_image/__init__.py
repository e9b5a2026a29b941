"""The sandbox image: what it is called and which guest protocol it speaks.

Cheap to import (standard library only), so that the application can ask for the tag of the
image that fits this checkout; `sandbox_image.build` makes it.
"""

from sandbox_image.contents import PROTOCOL, image_tag

__all__ = ["PROTOCOL", "image_tag"]
