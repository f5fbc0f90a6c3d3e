// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_procfs.c - procfs probes: files below /proc/systemtap/MODULE/ that handlers fill when they
 * are read and consume when they are written. The module's folder is removed with the module;
 * /proc/systemtap stays, because other modules may be using it.
 *
 * The handler runs in the reading or writing process, like every handler with interrupts off; data
 * is copied to and from user space outside of it.
 */
#include "runtime/kernel/probes/family_procfs.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/core/core.h"
#include "runtime/core/procfs.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"

/* text of the handler that runs on this CPU, with interrupts off */
static DEFINE_PER_CPU(struct procfs_text *, procfs_running);
static DEFINE_MUTEX(procfs_reading);	/* protects the texts of open files */
static struct procfs_file *procfs_list;	/* constant between start and stop */
static struct proc_dir_entry *procfs_folder;

struct procfs_text **procfs_now(void)
{
	return this_cpu_ptr(&procfs_running);
}

static void procfs_run(const struct rt_procfs *row, struct procfs_text *text)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_write(procfs_running, text);
	enter_probe(row->probe, NULL);
	this_cpu_write(procfs_running, NULL);
	local_irq_restore(flags);
}

static struct procfs_text *procfs_text_new(u32 size)
{
	struct procfs_text *t = kvmalloc(sizeof(*t) + size, GFP_KERNEL);

	if (t)
		*t = (struct procfs_text){ .p = (char *)(t + 1), .size = size };
	return t;
}

static int procfs_open(struct inode *inode, struct file *file)
{
	const struct procfs_file *f = pde_data(inode);

	if (!(file->f_mode & FMODE_READ) || !f->read)
		return 0;
	file->private_data = procfs_text_new(procfs_size(f->read));
	return file->private_data ? 0 : -ENOMEM;
}

static int procfs_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

/* The handler runs at each read from the beginning of the file. */
static ssize_t procfs_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	const struct procfs_file *f = pde_data(file_inode(file));
	struct procfs_text *t = file->private_data;
	ssize_t n;

	if (!t)
		return -EINVAL;
	mutex_lock(&procfs_reading);
	if (!*pos) {
		t->used = 0;
		procfs_run(f->read, t);
	}
	n = simple_read_from_buffer(to, size, pos, t->p, t->used);
	mutex_unlock(&procfs_reading);
	return n;
}

/* Text that does not fit is left for the next write: the writer retries with the rest. */
static ssize_t procfs_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	const struct procfs_file *f = pde_data(file_inode(file));
	struct procfs_text *t;
	ssize_t n = -ENOMEM;

	if (!f->write)
		return -EINVAL;
	t = procfs_text_new(procfs_size(f->write));
	if (t) {
		n = min_t(size_t, size, t->size);
		if (copy_from_user(t->p, from, n)) {
			n = -EFAULT;
		} else {
			t->used = strnlen(t->p, n);
			procfs_run(f->write, t);
		}
	}
	kvfree(t);
	return n;
}

static const struct proc_ops procfs_operations = {
	.proc_open	= procfs_open,
	.proc_release	= procfs_release,
	.proc_read	= procfs_read,
	.proc_write	= procfs_write,
	.proc_lseek	= default_llseek,
};

/* WIRE_INPUT */
int procfs_input(const char *p, u32 n)
{
	struct procfs_text text = { .p = (char *)p, .used = strnlen(p, n), .size = n };
	const struct rt_procfs *row;
	u32 at = 0;

	while ((row = procfs_stdin(&at)))
		procfs_run(row, &text);
	return at ? 0 : -ENOENT;
}

/* Creates the directories of file i that no earlier file has created. */
static int procfs_folders(u32 i)
{
	const char *path = procfs_list[i].path, *end;
	char part[256];
	u32 k;

	for (end = strchr(path, '/'); end; end = strchr(end + 1, '/')) {
		u32 n = end - path;

		for (k = 0; k < i && (strncmp(procfs_list[k].path, path, n) ||
				      procfs_list[k].path[n] != '/');
		     k++)
			;
		if (k < i)
			continue;
		if (n >= sizeof(part))
			return -ENAMETOOLONG;
		memcpy(part, path, n);
		part[n] = 0;
		if (!proc_mkdir(part, procfs_folder))
			return -EEXIST;
	}
	return 0;
}

static int procfs_make(u32 nfiles)
{
	char name[80];
	struct path there;
	int missing = 1;
	u32 i;

	scoped_with_init_fs()
		missing = kern_path("/proc/systemtap", LOOKUP_DIRECTORY, &there);
	if (missing)
		proc_mkdir("systemtap", NULL);
	else
		path_put(&there);
	snprintf(name, sizeof(name), "systemtap/%s", THIS_MODULE->name);
	procfs_folder = proc_mkdir(name, NULL);
	if (!procfs_folder)
		return -EEXIST;
	for (i = 0; i < nfiles; i++) {
		struct procfs_file *f = &procfs_list[i];
		int rc = fault_inject_error() ?: procfs_folders(i);

		if (rc)
			return rc;
		if (!proc_create_data(f->path,
				      (f->read ? f->read->mode : 0) |
					      (f->write ? f->write->mode : 0),
				      procfs_folder, &procfs_operations, f))
			return -EEXIST;
	}
	return 0;
}

/* Closes open files and waits for running handlers. */
static void procfs_stop(const void *rows, u32 nrows)
{
	proc_remove(procfs_folder);
	procfs_folder = NULL;
	runtime_free(procfs_list);
	procfs_list = NULL;
}

static int procfs_start(const void *rows, u32 nrows)
{
	u32 n;
	int rc;

	procfs_list = runtime_alloc((u64)nrows * sizeof(*procfs_list));
	if (!procfs_list)
		return -ENOMEM;
	n = procfs_files(rows, nrows, procfs_list);
	rc = n ? procfs_make(n) : 0;
	if (rc)
		procfs_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_procfs = {
	.name	= "procfs",
	.start	= procfs_start,
	.stop	= procfs_stop,
};
