"""Reading CONFIG_DB: from the text of a switch to what it is set to do."""
