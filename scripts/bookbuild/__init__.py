"""From notebooks as text to the folder that Jupyter Book builds: execute what changed, then stage the pages."""
