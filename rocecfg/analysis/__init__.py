"""The fabric as a graph: switches and hosts, the cables between them that carry RDMA, tiers, cycles and capacity.

Plain lists of numbers: fabrics have 10,000 switches and 300,000 cables. What is found is told by rules and reports.
"""
