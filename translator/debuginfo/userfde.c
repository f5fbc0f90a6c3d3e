/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfde.c - see userfde.h. libdw finds the entries, but returns neither their extent nor their
 * handlers. Reads never go past the bytes, whatever they contain; an entry in a form that linkers
 * do not write is skipped.
 */
#include "translator/debuginfo/userfde.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <string.h>

#define HEADER_MAX	64		/* bytes of an LSDA before its call site table */
#define CALLS_MAX	(1u << 20)	/* bytes of the call site table */

struct userfdes {
	GArray	*all;			/* struct userfde by address */
};

/* ---- encoded values ----------------------------------------------------------------*/

struct bytes {
	const guint8 *at, *end;
	guint64	address;		/* of at; 0: the bytes are not in the file's memory */
	/* a read went past the end, or an encoding is unknown */
	int	ended;
};

static guint64 read_bytes(struct bytes *b, gsize n)
{
	guint64 value = 0;

	if ((gsize)(b->end - b->at) < n) {
		b->ended = 1;
		return 0;
	}
	memcpy(&value, b->at, n);
	b->at += n;
	b->address += n;
	return GUINT64_FROM_LE(value);
}

static guint64 read_uleb(struct bytes *b)
{
	guint64 value = 0, byte;
	int shift = 0;

	do {
		byte = read_bytes(b, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static guint64 read_form(struct bytes *b, guint8 encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return read_bytes(b, 8);
	case DW_EH_PE_uleb128:
		return read_uleb(b);
	case DW_EH_PE_udata2:
		return read_bytes(b, 2);
	case DW_EH_PE_udata4:
		return read_bytes(b, 4);
	case DW_EH_PE_sdata4:
		return (guint64)(gint64)(gint32)read_bytes(b, 4);
	default:
		b->ended = 1;
		return 0;
	}
}

/* 0 means "none", even for a relative encoding. */
static guint64 read_encoded(struct bytes *b, guint8 encoding)
{
	guint64 from = b->address, value = read_form(b, encoding);

	if ((encoding & 0xf0) != DW_EH_PE_pcrel && (encoding & 0xf0) != DW_EH_PE_absptr)
		b->ended = 1;
	return value && encoding & DW_EH_PE_pcrel ? from + value : value;
}

/* ---- entries -----------------------------------------------------------------------*/

/* How entries of one kind (a CIE) encode addresses. */
struct kind {
	guint64	offset;
	guint8	address, handlers;
	int	has_data, is_known;
};

static struct kind read_kind(const Dwarf_CIE *cie, guint64 offset)
{
	struct kind kind = { offset, DW_EH_PE_absptr, DW_EH_PE_omit, cie->augmentation[0] == 'z',
			     1 };
	struct bytes data = { cie->augmentation_data, cie->augmentation_data, 0, 0 };

	if (cie->augmentation_data)
		data.end += cie->augmentation_data_size;
	for (const char *c = cie->augmentation + kind.has_data; *c; c++)
		switch (*c) {
		case 'L':
			kind.handlers = (guint8)read_bytes(&data, 1);
			break;
		case 'P':
			read_form(&data, (guint8)read_bytes(&data, 1));
			break;
		case 'R':
			kind.address = (guint8)read_bytes(&data, 1);
			break;
		case 'S':
		case 'B':
			break;
		default:
			kind.is_known = 0;
		}
	kind.is_known &= !data.ended;
	return kind;
}

static void take_entry(struct userfdes *all, const struct kind *kind, struct bytes b)
{
	struct userfde one = { .address = read_encoded(&b, kind->address) };

	one.size = read_form(&b, kind->address);
	if (kind->has_data) {
		read_uleb(&b);
		if (kind->handlers != DW_EH_PE_omit)
			one.handlers = read_encoded(&b, kind->handlers);
	}
	if (!b.ended && one.size && one.address + one.size > one.address)
		g_array_append_val(all->all, one);
}

static void read_section(struct userfdes *all, const unsigned char *ident, Elf_Data *data,
			 guint64 address)
{
	struct kind kind = { .offset = G_MAXUINT64 };
	Dwarf_CFI_Entry entry, cie;
	Dwarf_Off at = 0, next, behind;
	const guint8 *start = data->d_buf;
	int rc;

	while ((rc = dwarf_next_cfi(ident, data, true, at, &next, &entry)) <= 0 && next > at) {
		at = next;
		if (rc || dwarf_cfi_cie_p(&entry))
			continue;
		if (kind.offset != entry.fde.CIE_pointer) {
			if (dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &behind,
					   &cie) ||
			    !dwarf_cfi_cie_p(&cie))
				continue;
			kind = read_kind(&cie.cie, entry.fde.CIE_pointer);
		}
		if (kind.is_known)
			take_entry(all, &kind,
				   (struct bytes){ entry.fde.start, entry.fde.end,
						   address + (guint64)(entry.fde.start - start),
						   0 });
	}
}

static int by_address(const void *a, const void *b)
{
	const struct userfde *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static struct userfdes *read_file(const struct userfile *f)
{
	struct userfdes *all = g_new0(struct userfdes, 1);
	GElf_Shdr header;
	Elf_Scn *section = userfile_section(f, ".eh_frame", &header);
	Elf_Data *data =
		section && header.sh_type != SHT_NOBITS ? elf_rawdata(section, NULL) : NULL;
	guint64 bias;
	Elf *elf = dwfl_module_getelf(userfile_module(f, &bias), &bias);

	all->all = g_array_new(FALSE, FALSE, sizeof(struct userfde));
	if (data && data->d_buf && elf)
		read_section(all, (const unsigned char *)elf_getident(elf, NULL), data,
			     header.sh_addr);
	g_array_sort(all->all, by_address);
	return all;
}

int userfde_at(struct userfile *f, guint64 address, struct userfde *found)
{
	struct userfdes **all = userfile_fdes(f);
	guint low = 0, high;

	if (!*all)
		*all = read_file(f);
	for (high = (*all)->all->len; low < high;) {
		guint middle = low + (high - low) / 2;

		*found = g_array_index((*all)->all, struct userfde, middle);
		if (address - found->address < found->size)
			return 1;
		if (found->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

void userfde_free(struct userfdes *all)
{
	if (all)
		g_array_unref(all->all);
	g_free(all);
}

/* ---- handlers ----------------------------------------------------------------------*/

void userfde_handlers(const struct userfile *f, const struct userfde *fde,
		      int (*leads)(void *data, guint64 address), void *data)
{
	guint8 head[HEADER_MAX], encoding, *calls;
	gsize n = fde->handlers ? userfile_bytes(f, fde->handlers, head, sizeof(head)) : 0;
	struct bytes b = { head, head + n, fde->handlers, 0 };
	guint64 base = fde->address, size;

	encoding = (guint8)read_bytes(&b, 1);
	if (encoding != DW_EH_PE_omit)
		base = read_encoded(&b, encoding);
	if (read_bytes(&b, 1) != DW_EH_PE_omit)		/* offset of the type table */
		read_uleb(&b);
	encoding = (guint8)read_bytes(&b, 1);
	size = read_uleb(&b);
	if (b.ended || !size || size > CALLS_MAX)
		return;
	calls = g_malloc(size);
	n = userfile_bytes(f, b.address, calls, size);
	for (b = (struct bytes){ calls, calls + n, b.address, 0 }; b.at < b.end;) {
		guint64 handler;

		read_form(&b, encoding);			/* the calls' start; their length */
		read_form(&b, encoding);
		handler = read_form(&b, encoding);
		read_uleb(&b);					/* action record */
		if (b.ended)
			break;
		if (handler)
			leads(data, base + handler);
	}
	g_free(calls);
}
