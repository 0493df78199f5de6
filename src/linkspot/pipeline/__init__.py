"""The stages of the data pipeline: corpora and tables in, tables out."""
