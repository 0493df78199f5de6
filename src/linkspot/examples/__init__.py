"""Articles → ranking problems: candidates, the dataset reader, context removal and negatives."""
