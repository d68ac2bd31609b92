"""The commands of dev.py that need libraries: each module is one, started by "dev.py run"."""
