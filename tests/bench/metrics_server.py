"""``masthead serve`` whose processes record metrics from SIGUSR1 on, and none from SIGUSR2 on."""

import signal

from masthead.cli import main
from masthead.telemetry import metrics, process

signal.signal(signal.SIGUSR1, lambda *_: process.start("server"))
signal.signal(signal.SIGUSR2, lambda *_: metrics.stop())
main()
