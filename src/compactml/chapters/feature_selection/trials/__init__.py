"""The chapter's kinds of trials."""
