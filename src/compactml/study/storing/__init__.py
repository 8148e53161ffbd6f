"""The file of results: its rows, its format over time, and what waits beside it while another process holds it."""
