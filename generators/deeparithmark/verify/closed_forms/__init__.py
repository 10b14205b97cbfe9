"""A second statement of the stories, one module for each template, that shares no code with the families."""
