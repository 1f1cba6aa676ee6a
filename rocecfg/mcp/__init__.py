"""The Model Context Protocol: what language models and scripts may call, over the commands that people run.

`tools` says which there are and runs them; `server` speaks the protocol, and alone needs the package `mcp`.
"""
