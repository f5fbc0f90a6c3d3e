// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bios.c - writes to disks that end as soon as they are made, when the module is loaded: of 1 to 4 pages, all of which is done; of 8192
 * bytes, half of which is done, with an error; of no data.
 */
#include <linux/bio.h>
#include <linux/module.h>
#include <linux/version.h>

static void bios_end(struct bio *bio)
{
	bio_put(bio);
}

static int bios_make(unsigned int pages, unsigned int done, blk_status_t status)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
	struct bio *bio = bio_alloc(GFP_KERNEL, 4);
#else
	struct bio *bio = bio_alloc(NULL, 4, REQ_OP_WRITE, GFP_KERNEL);
#endif
	unsigned int i;

	if (!bio)
		return -ENOMEM;
	for (i = 0; i < pages; i++)
		if (bio_add_page(bio, ZERO_PAGE(0), 4096, 0) != 4096)
			return -EIO;
	bio->bi_opf = REQ_OP_WRITE | REQ_SYNC;
	bio->bi_end_io = bios_end;
	bio->bi_status = status;
	bio_advance(bio, done);
	bio_endio(bio);
	return 0;
}

static int __init bios_init(void)
{
	unsigned int pages;
	int rc = 0;

	for (pages = 1; pages <= 4 && !rc; pages++)
		rc = bios_make(pages, 4096 * pages, BLK_STS_OK);
	return rc ?: bios_make(2, 4096, BLK_STS_IOERR) ?: bios_make(0, 0, BLK_STS_OK);
}

static void __exit bios_exit(void)
{
}

module_init(bios_init);
module_exit(bios_exit);
MODULE_LICENSE("GPL");
