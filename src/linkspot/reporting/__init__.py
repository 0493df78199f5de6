"""Reports: tables as Markdown, LaTeX and CSV, plots, and HTML pages."""
