"""The data stages: corpora and tables in, tables out."""
