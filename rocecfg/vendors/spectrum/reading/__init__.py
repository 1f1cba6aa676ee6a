"""From NVUE's texts to switches: text to operations, operations to one tree, the tree to what is in force."""
