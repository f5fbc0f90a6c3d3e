# SPDX-License-Identifier: GPL-2.0-or-later
"""check-progress.py PIPE COMMAND... - runs COMMAND on a terminal until it shows progress; what it waits for meanwhile, the named pipe PIPE,
then comes to its end, and goes. Prints what was on the terminal, escapes spelled out; its exit status is the command's."""
import os
import pty
import sys

pipe, command = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if not pid:
    os.execv(command[0], command)
said = b''
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:                     # the terminal's end
        break
    said += more
    if pipe and b'naming: image' in said:
        writer = os.open(pipe, os.O_WRONLY)
        os.unlink(pipe)
        os.close(writer)
        pipe = None
print(repr(said))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
