"""The data stages `index`, `insertions`, `dataset` and `stats`: corpora and tables in, tables out."""
