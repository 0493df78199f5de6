"""Reports: tables as Markdown, LaTeX, CSV and on a terminal, plots, and HTML pages."""
