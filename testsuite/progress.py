# SPDX-License-Identifier: GPL-2.0-or-later
"""progress.py [--interrupt] TEXT PIPE COMMAND... - runs COMMAND on a terminal until TEXT is there; what it waits for meanwhile, the named pipe
PIPE, then comes to its end, and goes. --interrupt: before that ^C is typed. Prints what was on the terminal, escapes spelled out; its exit
status is the command's."""
import os
import pty
import sys

interrupt = sys.argv[1] == '--interrupt'
text, pipe, *command = sys.argv[1 + interrupt:]
pid, terminal = pty.fork()
if not pid:
    os.execvp(command[0], command)
said = b''
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:                     # the terminal's end
        break
    said += more
    if pipe and text.encode() in said:
        if interrupt:
            os.write(terminal, b'\x03')
        try:
            writer = os.open(pipe, os.O_WRONLY | (os.O_NONBLOCK if interrupt else 0))
        except OSError:                 # ^C was faster: nobody waits any more
            writer = None
        os.unlink(pipe)
        if writer is not None:
            os.close(writer)
        pipe = None
print(repr(said))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
