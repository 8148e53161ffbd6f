"""What a page shows: tables, panels, openings, sentences with numbers, style."""
