"""What a package of somebody else may bring to linkspot."""
