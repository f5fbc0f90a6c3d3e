# examples: scripts to begin with, installed with their descriptions
# SPDX-License-Identifier: GPL-2.0-or-later
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = \
	examples/model-01-plain.meta examples/model-01-plain.stp examples/model-01.meta \
	examples/model-01.stp examples/model-02-plain.meta examples/model-02-plain.stp \
	examples/model-02.meta examples/model-02.stp examples/model-03-plain.meta \
	examples/model-03-plain.stp examples/model-03.meta examples/model-03.stp \
	examples/model-04-plain.meta examples/model-04-plain.stp examples/model-04.meta \
	examples/model-04.stp examples/model-05-plain.meta examples/model-05-plain.stp \
	examples/model-05.meta examples/model-05.stp examples/model-06-plain.meta \
	examples/model-06-plain.stp examples/model-06.meta examples/model-06.stp \
	examples/model-07-plain.meta examples/model-07-plain.stp examples/model-07.meta \
	examples/model-07.stp examples/model-08-plain.meta examples/model-08-plain.stp \
	examples/model-08.meta examples/model-08.stp examples/model-09-plain.meta \
	examples/model-09-plain.stp examples/model-09.meta examples/model-09.stp \
	examples/model-10-plain.meta examples/model-10-plain.stp examples/model-10.meta \
	examples/model-10.stp examples/model-11-plain.meta examples/model-11-plain.stp \
	examples/model-11.meta examples/model-11.stp examples/model-12-plain.meta \
	examples/model-12-plain.stp examples/model-12.meta examples/model-12.stp \
	examples/model-13-plain.meta examples/model-13-plain.stp examples/model-13.meta \
	examples/model-13.stp examples/pc-histogram.meta examples/pc-histogram.stp \
	examples/phases.c examples/phases.meta examples/phases.stp examples/queue.c \
	examples/vfs-read-latency.meta examples/vfs-read-latency.stp
