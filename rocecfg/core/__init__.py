"""The ground: units, node sets, records, where data lies, and text made visible."""
