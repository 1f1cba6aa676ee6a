"""From the running-config of a switch with EOS to what it does, in the terms of the intent."""
