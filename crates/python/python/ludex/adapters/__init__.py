"""Ludex's games for other libraries, and other libraries' games for Ludex. Each adapter needs its library."""
