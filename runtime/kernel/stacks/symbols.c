// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - names of addresses, from the symbol tables that the consumer sends.
 *
 * Handlers of hits use the tables with preemption off, and keep no pointer beyond that: a table that
 * another replaces, or whose process ended, is freed after a grace period. Begin, end and error
 * probes may be preempted, but find no table that is replaced: they run in a kernel thread, which
 * maps no programs, and the kernel's table comes once, before the start.
 */
#include "runtime/kernel/stacks/symbols.h"

#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "runtime/core/symbol.h"

#define SYMBOLS_IMAGES	1024
#define SYMBOLS_ASKED	64

struct image {
	u64		dev, ino;
	u64		total, have;	/* while it is being received */
	struct wire_symtab *table;	/* NULL: the entry is free */
};

/*
 * Changed by commands (one at a time); an entry's identity does not change while it has a table,
 * which is set last (release, acquire).
 */
static struct image symbols_images[SYMBOLS_IMAGES];
static u32 symbols_count;
static struct image symbols_coming;
static const struct wire_symtab *symbols_kernel;	/* one of the images, or NULL */
/* inodes already requested; a race costs a second request */
static u64 symbols_asked[SYMBOLS_ASKED];

/* The image's entry, else a free one; NULL: none. */
static struct image *symbols_place(u64 dev, u64 ino)
{
	struct image *empty = NULL;
	u32 i;

	for (i = 0; i < symbols_count; i++) {
		if (symbols_images[i].dev == dev && symbols_images[i].ino == ino)
			return &symbols_images[i];
		if (!symbols_images[i].table)
			empty = &symbols_images[i];
	}
	return empty || symbols_count == SYMBOLS_IMAGES ? empty : &symbols_images[symbols_count];
}

static void symbols_replace(struct image *im, struct wire_symtab *table)
{
	struct wire_symtab *old = im->table;

	smp_store_release(&im->table, table);
	if (im - symbols_images == symbols_count)
		smp_store_release(&symbols_count, symbols_count + 1);
	if (!im->dev && !im->ino)
		smp_store_release(&symbols_kernel, table);
	if (!old)
		return;
	synchronize_rcu();
	runtime_free(old);
}

static int symbols_complete(void)
{
	struct image *im = symbols_place(symbols_coming.dev, symbols_coming.ino);
	int rc = im ? symtab_check(symbols_coming.table, symbols_coming.total) : -ENOSPC;

	if (rc) {
		runtime_free(symbols_coming.table);
	} else {
		im->dev = symbols_coming.dev;
		im->ino = symbols_coming.ino;
		symbols_replace(im, symbols_coming.table);
	}
	memset(&symbols_coming, 0, sizeof(symbols_coming));
	return rc;
}

/* Drops the table of a process that ended: its ID may be reused. */
static int symbols_forget(u64 dev, u64 ino)
{
	struct image *im = symbols_place(dev, ino);

	if (im && im->table && im->dev == dev && im->ino == ino)
		symbols_replace(im, NULL);
	if (READ_ONCE(symbols_asked[ino % SYMBOLS_ASKED]) == ino)
		WRITE_ONCE(symbols_asked[ino % SYMBOLS_ASKED], 0);
	return 0;
}

int symbols_take(const struct wire_symbols *chunk, u32 len)
{
	struct image *im = &symbols_coming;
	u32 bytes = len - sizeof(*chunk);

	if (len < sizeof(*chunk) || chunk->total > 1ULL << 28)
		return -EINVAL;
	if (!chunk->total)
		return symbols_forget(chunk->dev, chunk->ino);
	if (!chunk->offset) {
		runtime_free(im->table);
		*im = (struct image){ .dev = chunk->dev, .ino = chunk->ino, .total = chunk->total };
		im->table = runtime_alloc(chunk->total);
		if (!im->table)
			return -ENOMEM;
	}
	if (!im->table || chunk->offset != im->have || bytes > im->total - im->have ||
	    chunk->total != im->total)
		return -EINVAL;
	memcpy((u8 *)im->table + im->have, chunk + 1, bytes);
	im->have += bytes;
	return im->have == im->total ? symbols_complete() : 0;
}

/* ---- user images -------------------------------------------------------------*/

/*
 * Releasing mmap_lock may wake a waiter, which a probe in the scheduler must not do: irq_work does
 * it, as in BPF.
 */
struct unlock {
	struct irq_work	work;
	struct mm_struct *mm;
};

static void symbols_unlock(struct irq_work *work)
{
	struct unlock *unlock = container_of(work, struct unlock, work);
	struct mm_struct *mm = unlock->mm;

	/* a probe in the following code must not treat it as held */
	WRITE_ONCE(unlock->mm, NULL);
	mmap_read_unlock_non_owner(mm);
}

static DEFINE_PER_CPU(struct unlock, symbols_unlocks);

/* A module's per-CPU data cannot be initialised with addresses: the kernel does not relocate it. */
void symbols_load(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu(symbols_unlocks, cpu).work, symbols_unlock);
}

struct place {
	u64	dev, ino;	/* of an image */
	u64	offset;		/* in it */
};

static void symbols_identify(const struct vm_area_struct *vma, u64 addr, struct place *at)
{
	*at = (struct place){ .dev = WIRE_DEV_MADE, .ino = current->tgid, .offset = addr };
	if (vma->vm_file) {
		const struct inode *inode = file_inode(vma->vm_file);

		*at = (struct place){ .dev = inode->i_sb->s_dev,
				      .ino = inode->i_ino,
				      .offset = addr - vma->vm_start +
						((u64)vma->vm_pgoff << PAGE_SHIFT) };
	} else if (vma->vm_start == (unsigned long)vma->vm_mm->context.vdso) {
		*at = (struct place){ .ino = WIRE_INO_VDSO, .offset = addr - vma->vm_start };
	}
}

/*
 * The current address space, locked until symbols_let_go(); NULL: none, or it is being changed.
 * Interrupts stay off until then: a hit in an interrupt would release this hit's lock, or take it a
 * second time.
 */
static struct mm_struct *symbols_hold(unsigned long *flags)
{
	struct mm_struct *mm = current->mm;
	struct unlock *unlock;

	local_irq_save(*flags);
	unlock = this_cpu_ptr(&symbols_unlocks);
	if (mm && irq_work_is_busy(&unlock->work) && READ_ONCE(unlock->mm) == mm) {
		/* lockdep was told that it had been released */
		rwsem_acquire_read(&mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
		return mm;
	}
	if (mm && !irq_work_is_busy(&unlock->work) && mmap_read_trylock(mm))
		return mm;
	local_irq_restore(*flags);
	return NULL;
}

static void symbols_let_go(struct mm_struct *mm, unsigned long flags)
{
	struct unlock *unlock = this_cpu_ptr(&symbols_unlocks);

	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	if (!irq_work_is_busy(&unlock->work)) {
		WRITE_ONCE(unlock->mm, mm);
		irq_work_queue(&unlock->work);
	}
	local_irq_restore(flags);
}

/* Finds the mapping of addr. 0: none, or the address space is being changed. */
static int symbols_locate(u64 addr, struct place *at)
{
	unsigned long flags;
	struct mm_struct *mm = symbols_hold(&flags);
	struct vm_area_struct *vma;
	int found;

	if (!mm)
		return 0;
	vma = find_vma(mm, addr);
	found = vma && vma->vm_start <= addr;
	if (found)
		symbols_identify(vma, addr, at);
	symbols_let_go(mm, flags);
	return found;
}

static void symbols_ask(const struct place *at)
{
	struct wire_image_id id = { .dev = at->dev, .ino = at->ino, .pid = current->tgid };
	u32 slot = (u32)(at->ino % SYMBOLS_ASKED);

	if (READ_ONCE(symbols_asked[slot]) == at->ino)
		return;
	WRITE_ONCE(symbols_asked[slot], at->ino);
	runtime_message(WIRE_IMAGE, 0, &id, sizeof(id));
}

/* The image's table; if it is not here, requests it and returns NULL. */
static const struct wire_symtab *symbols_of(const struct place *at)
{
	u32 i = smp_load_acquire(&symbols_count);

	while (i--) {
		const struct wire_symtab *table = smp_load_acquire(&symbols_images[i].table);

		if (table && symbols_images[i].ino == at->ino && symbols_images[i].dev == at->dev)
			return table;
	}
	symbols_ask(at);
	return NULL;
}

static const struct wire_symtab *symbols_find(u64 addr, u64 *offset)
{
	struct place at;

	*offset = 0;
	if (!symbols_locate(addr, &at))
		return NULL;
	*offset = at.offset;
	return symbols_of(&at);
}

/* ---- for one stack ------------------------------------------------------------*/

void symbols_rows_begin(struct symbols_rows *r)
{
	*r = (struct symbols_rows){ 0 };
	r->mm = symbols_hold(&r->flags);
}

void symbols_rows_end(struct symbols_rows *r)
{
	if (r->mm)
		symbols_let_go(r->mm, r->flags);
}

int symbols_rows_find(struct symbols_rows *r, u64 addr, const struct wire_caller **how)
{
	struct vm_area_struct *vma;
	struct place at;

	*how = NULL;
	if (!r->mm)
		return 0;
	if (addr < r->start || addr >= r->end) {
		vma = find_vma(r->mm, addr);
		if (!vma || addr < vma->vm_start || !(vma->vm_flags & VM_EXEC))
			return -1;
		symbols_identify(vma, vma->vm_start, &at);
		r->start = vma->vm_start;
		r->end = vma->vm_end;
		r->offset = at.offset;
		r->table = symbols_of(&at);
	}
	if (r->table && r->table->ncallers)
		*how = symtab_caller(r->table, addr - r->start + r->offset);
	return 0;
}

const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at)
{
	*at = addr;
	return user ? symbols_find(addr, at) : smp_load_acquire(&symbols_kernel);
}

void symbols_unload(void)
{
	u32 i;
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(symbols_unlocks, cpu).work);
	for (i = 0; i < symbols_count; i++)
		runtime_free(symbols_images[i].table);
	runtime_free(symbols_coming.table);
}
