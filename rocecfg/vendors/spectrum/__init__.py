"""NVIDIA Spectrum under Cumulus Linux: NVUE, as the file of `nv config patch` and as `nv set` lines."""
