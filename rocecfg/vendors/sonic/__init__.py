"""SONiC: the RoCE tables of CONFIG_DB."""
