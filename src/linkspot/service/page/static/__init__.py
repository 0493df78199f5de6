"""Files that the page serves as they are: its HTML, its styles and its scripts."""
