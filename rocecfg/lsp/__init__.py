"""The language server: what lint, show, the schema and fixes know, given to an editor as one types."""
