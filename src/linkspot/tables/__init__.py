"""Records as Arrow tables: their schemas, and the folders of Parquet files that hold them."""
