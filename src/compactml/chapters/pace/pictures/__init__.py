"""Pictures of the chapter: each takes its width in inches, 7.4 beside a column of text and 3.7 on a phone."""
