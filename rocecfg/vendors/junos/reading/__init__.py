"""The statements of a Junos configuration, and what they set."""
