"""What a page needs, put into the page: one module for each language it is written in."""
