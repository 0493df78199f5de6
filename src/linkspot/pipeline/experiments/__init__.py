"""`linkspot experiment`: the paper's questions, asked on other data."""
