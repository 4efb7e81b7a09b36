Some text.
