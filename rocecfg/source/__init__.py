"""Source texts: files, YAML with positions, comment directives. Knows nothing of RoCE."""
