# SPDX-License-Identifier: GPL-2.0-or-later
"""check-progress.py PIPE COMMAND... - runs COMMAND, which blocks on reading the named pipe PIPE, on
a terminal; once it shows progress, closes the pipe so that COMMAND continues, and removes it.
Prints the terminal's output with escapes spelled out; exits with the command's status."""
import os
import pty
import signal
import sys

pipe, command = sys.argv[1], sys.argv[2:]
signal.alarm(240)
pid, terminal = pty.fork()
if not pid:
    os.execv(command[0], command)
said = b''
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:                     # the command has closed the terminal
        break
    said += more
    if pipe and b'naming: image' in said:
        writer = os.open(pipe, os.O_WRONLY)
        os.unlink(pipe)
        os.close(writer)
        pipe = None
print(repr(said))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
