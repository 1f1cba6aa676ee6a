"""How a fabric is watched: Prometheus rules, a test of them and a Grafana dashboard, from what the model knows.

Thresholds are the model's (port speeds, marking curves, headroom); names of metrics are those of `profiles/exporters/`.
What an exporter does not have, or measures in a unit nobody documents, is left out and said.
"""
