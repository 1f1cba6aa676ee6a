"""Reading a running-config of NX-OS: its lines, what they state, how packets are sorted."""
