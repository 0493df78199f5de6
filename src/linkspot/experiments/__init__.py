"""The experiments of the paper, run on other data, and the benchmark."""
