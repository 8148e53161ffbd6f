"""What the book says of all chapters at once: checked claims, findings, openings, records."""
