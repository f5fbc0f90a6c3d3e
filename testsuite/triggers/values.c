/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.c - does what the library's aliases tell of, and prints what their variables are then: "true ALIAS VARIABLE VALUE".
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/membarrier.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static FILE *truth;
static char *volatile nowhere = (char *)16;

__attribute__((format(printf, 2, 3))) static void is(const char *variable, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fprintf(truth, "true %s ", variable);
	vfprintf(truth, format, values);
	fputc('\n', truth);
	va_end(values);
}

/* Several variables of one alias, that are numbers: "a b c" of as many values. */
static void are(const char *alias, const char *variables, ...)
{
	char name[256], *all = strdup(variables);
	va_list values;

	va_start(values, variables);
	for (char *one = strtok(all, " "); one; one = strtok(NULL, " ")) {
		snprintf(name, sizeof(name), "%s %s", alias, one);
		is(name, "%ld", va_arg(values, long));
	}
	va_end(values);
	free(all);
}

static void must(int is_so, const char *what)
{
	if (!is_so) {
		perror(what);
		exit(1);
	}
}

/* ---- signals ---------------------------------------------------------------------*/

static void handle(int sig) { (void)sig; }

static void signals(void)
{
	struct sigaction action = { .sa_handler = handle };
	sigset_t set, pending;
	long pid = getpid();

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR2);
	must(!sigaction(SIGUSR1, &action, NULL), "sigaction");
	are("signal.do_action", "sig sa_handler sa_mask", (long)SIGUSR1, (long)handle, 1L << (SIGUSR2 - 1));
	is("signal.do_action sig_name", "SIGUSR1");

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	are("signal.procmask", "how sigset", (long)SIG_BLOCK, 1L << (SIGTERM - 1));
	sigpending(&pending);
	are("signal.pending", "sigset_add sigset_size", (long)&pending, 8L);

	kill(pid, SIGUSR1);
	are("signal.pending.return", "pending", 1L);
	are("signal.syskill", "sig_pid", pid);
	is("signal.syskill name", "syskill");
	is("signal.syskill sig_name", "SIGUSR1");
	is("signal.syskill pid_name", "values");
	is("signal.syskill task", "its own");
	is("signal.syskill.return name", "syskill");
	are("signal.send", "sig sig_pid shared sig_code", (long)SIGUSR1, pid, 1L, 0L);
	is("signal.send name", "signal_generate");
	is("signal.send si_code of 0", "SI_USER or SI_TIMER or SI_ASYNCIO");
	is("signal.send sig_name", "SIGUSR1");
	is("signal.send pid_name", "values");
	are("signal.send.return", "shared", 1L);
	is("signal.send.return retstr", "0");
	are("signal.handle", "sig sig_code", (long)SIGUSR1, 0L);
	is("signal.handle sig_name", "SIGUSR1");
	is("signal.handle sig_mode", "User Mode Signal");
	are("signal.checkperm", "sig sig_pid", (long)SIGUSR1, pid);
	is("signal.checkperm sig_name", "SIGUSR1");
	is("signal.checkperm pid_name", "values");
	is("signal.checkperm si_code", "SI_USER or SI_TIMER or SI_ASYNCIO");
	is("signal.checkperm.return retstr", "0");
	are("signal.check_ignored", "sig sig_pid", (long)SIGUSR1, pid);
	is("signal.check_ignored sig_name", "SIGUSR1");
	is("signal.check_ignored pid_name", "values");
	is("signal.check_ignored.return retstr of 10", "0");
	kill(pid, SIGWINCH);
	is("signal.check_ignored.return retstr of 28", "1");
	are("scheduler.signal_send", "pid signal_number", pid, (long)SIGUSR1);

	syscall(SYS_tgkill, pid, pid, SIGUSR1);
	are("signal.systgkill", "sig_pid", pid);
	is("signal.systgkill sig_name", "SIGUSR1");
	is("signal.systgkill pid_name", "values");
	are("signal.send", "shared sig_code", 0L, -6L);
	are("signal.send.return", "shared", 0L);
	are("signal.handle", "sig_code", -6L);
	syscall(SYS_tkill, pid, SIGUSR1);
	are("signal.systkill", "sig_pid", pid);
	is("signal.systkill sig_name", "SIGUSR1");
	is("signal.systkill pid_name", "values");
}

/* The kernel's, to a child that writes where no memory is, and one that has no information. */
static void signals_to_children(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		*nowhere = 1;
	waitpid(child, &status, 0);
	are("signal.send", "sig sig_code", (long)SIGSEGV, 1L);
	is("signal.send si_code of 1", "SI_KERNEL (SIGFPE, SIGSEGV, SIGTRAP, SIGCHLD, SIGPOLL)");
	child = fork();
	if (!child)
		for (;;)
			pause();
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	are("signal.handle", "sig sig_code", (long)SIGKILL, 0L);
}

/* Its signal comes when the clock has gone on. */
static void queued_signal(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	struct itimerspec soon = { .it_value = { 0, 1000000 } };
	sigset_t set;
	timer_t timer;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	are("signal.procmask", "sigset calls returns_missing", 1L << (SIGALRM - 1), 1L, 0L);
	must(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &soon, NULL) && !sigwait(&set, &sig), "timer");
	are("signal.send_sig_queue", "sig sig_pid", (long)SIGALRM, (long)getpid());
	is("signal.send_sig_queue retstr", "0");
	is("signal.do_action retstr", "0");
	is("signal.send_sig_queue sig_name", "SIGALRM");
	is("signal.send_sig_queue pid_name", "values");
}

/* ---- sockets ---------------------------------------------------------------------*/

#define PORT	5001
#define UDP_PORT 5002

static void up_loopback(int fd)
{
	struct ifreq lo = { .ifr_name = "lo" };

	ioctl(fd, SIOCGIFFLAGS, &lo);
	lo.ifr_flags |= IFF_UP;
	must(!ioctl(fd, SIOCSIFFLAGS, &lo), "lo");
	must(!ioctl(fd, SIOCGIFMTU, &lo), "the mtu of lo");
	are("netdev.change_mtu", "old_mtu new_mtu", (long)lo.ifr_mtu, 4000L);
	is("netdev.change_mtu dev_name", "lo");
	lo.ifr_mtu = 4000;
	must(!ioctl(fd, SIOCSIFMTU, &lo), "to change the mtu of lo");
}

static void promiscuous(void)
{
	struct packet_mreq request = { .mr_ifindex = (int)if_nametoindex("lo"), .mr_type = PACKET_MR_PROMISC };
	int fd = socket(AF_PACKET, SOCK_DGRAM, 0), another;

	must(fd >= 0 && !setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &request, sizeof(request)), "packet socket");
	are("netdev.set_promiscuity", "inc enable disable", 1L, 1L, 0L);
	is("netdev.set_promiscuity dev_name", "lo");
	another = socket(AF_PACKET, SOCK_DGRAM, 0);
	must(another >= 0 && !setsockopt(another, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &request, sizeof(request)), "another");
	request.mr_type = PACKET_MR_ALLMULTI;
	must(!setsockopt(another, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &request, sizeof(request)), "all multicast");
	close(another);
	close(fd);
	are("netdev.set_promiscuity", "inc enable disable", -1L, 0L, 1L);
	are("netdev.change_rx_flag", "promiscuous multicast", 2L, 2L);
	is("netdev.change_rx_flag dev_name", "lo");
}

/* No device's: it is a group's. */
static void wrong_address(int fd)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_hwaddr = { .sa_family = ARPHRD_LOOPBACK, .sa_data = "\x01\x23\x45\x67\x89\xab" } };

	must(ioctl(fd, SIOCSIFHWADDR, &lo) < 0, "lo has another address");
	are("netdev.ioctl", "cmd", (long)SIOCSIFHWADDR);
	is("netdev.ioctl arg", "\"lo\"");
	are("netdev.change_mac", "mac_len", 6L);
	is("netdev.change_mac dev_name", "lo");
	is("netdev.change_mac old_mac", "00:00:00:00:00:00");
	is("netdev.change_mac new_mac", "01:23:45:67:89:ab");
}

static struct sockaddr_in at_port(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	return at;
}

static long port_of(int fd)
{
	struct sockaddr_in at;
	socklen_t size = sizeof(at);

	must(!getsockname(fd, (struct sockaddr *)&at, &size), "getsockname");
	return ntohs(at.sin_port);
}

/* What all aliases of one protocol say of a connected socket. */
static void of_sock(const char *alias, long size, long sport, long dport)
{
	char name[128];

	are(alias, "size family sport dport", size, 2L, sport, dport);
	snprintf(name, sizeof(name), "%s saddr", alias);
	is(name, "127.0.0.1");
	snprintf(name, sizeof(name), "%s daddr", alias);
	is(name, "127.0.0.1");
}

static void tcp(void)
{
	struct sockaddr_in at = at_port(PORT), none = { .sin_family = AF_UNSPEC };
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP), one = 1, there;
	static char bytes[4096];
	long port;

	are("socket.create", "family type protocol requester", 2L, 1L, 6L, 0L);
	is("socket.create.return name", "socket.create.return");
	are("socket.create.return", "family type protocol requester err success", 2L, 1L, 6L, 0L, 0L, 1L);
	must(server >= 0 && client >= 0, "socket");
	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	must(!bind(server, (struct sockaddr *)&at, sizeof(at)) && !listen(server, 1), "listen");
	must(!connect(client, (struct sockaddr *)&at, sizeof(at)), "connect");
	there = accept(server, NULL, NULL);
	port = port_of(client);
	are("tcp.receive", "sport dport syn ack fin rst psh urg protocol family size", port, (long)PORT, 1L, 0L, 0L, 0L, 0L, 0L, 6L, 2L, 40L);
	is("tcp.receive name", "tcp.ipv4.receive");
	is("tcp.receive saddr", "127.0.0.1");
	is("tcp.receive daddr", "127.0.0.1");

	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	are("tcp.setsockopt", "level optname optlen", 6L, 1L, 4L);
	is("tcp.setsockopt optstr", "TCP_NODELAY");
	is("tcp.setsockopt name", "tcp.ipv4.setsockopt");
	must(setsockopt(client, IPPROTO_TCP, 99, &one, sizeof(one)), "no option of TCP");
	is("tcp.setsockopt optstr", "UNDEF_SOCKOPT(99)");
	are("tcp.setsockopt.return", "ret", 0L);
	must(send(client, bytes, 1000, 0) == 1000 && recv(there, bytes, sizeof(bytes), 0) == 1000, "tcp");
	of_sock("tcp.sendmsg", 1000, port, PORT);
	of_sock("tcp.sendmsg.return", 1000, port, PORT);
	of_sock("tcp.recvmsg", 4096, PORT, port);
	of_sock("tcp.recvmsg.return", 1000, PORT, port);
	are("socket.sendmsg", "size protocol family state type", 1000L, 6L, 2L, 3L, 1L);
	are("socket.sendmsg.return", "size protocol family state type success", 1000L, 6L, 2L, 3L, 1L, 1L);
	are("socket.recvmsg", "size protocol family state type", 4096L, 6L, 2L, 3L, 1L);
	are("socket.recvmsg.return", "size protocol family state type success", 1000L, 6L, 2L, 3L, 1L, 1L);
	must(write(client, bytes, 700) == 700 && read(there, bytes, sizeof(bytes)) == 700, "tcp");
	are("socket.write_iter", "size protocol family state type", 700L, 6L, 2L, 3L, 1L);
	are("socket.write_iter.return", "size success", 700L, 1L);
	are("socket.read_iter", "size protocol family state type", 4096L, 6L, 2L, 3L, 1L);
	are("socket.read_iter.return", "size success", 700L, 1L);
	is("socket.read_iter.return name", "socket.read_iter.return");
	are("socket.send", "size", 700L);
	is("socket.send name", "socket.send");
	are("socket.receive", "size", 700L);
	is("socket.receive name", "socket.receive");
	close(there);
	are("socket.close", "protocol family state type", 6L, 2L, 3L, 1L);
	connect(client, (struct sockaddr *)&none, sizeof(none));
	are("tcp.disconnect", "family sport dport flags", 2L, port, (long)PORT, (long)O_RDWR);
	are("tcp.disconnect.return", "ret", 0L);
	close(client);
	close(server);
}

static void tcp_option_of_ipv6(void)
{
	int fd = socket(AF_INET6, SOCK_STREAM, 0), udp_fd = socket(AF_INET6, SOCK_DGRAM, 0), one = 1;

	must(!setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)), "an option of IPv6");
	must(setsockopt(fd, IPPROTO_IPV6, 222, &one, sizeof(one)), "no option of IPv6");
	must(!setsockopt(fd, IPPROTO_IP, IP_TOS, &one, sizeof(one)), "an option of IPv4");
	must(!setsockopt(udp_fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)), "an option that is not TCP's");
	are("tcp.ipv6.setsockopt", "level optname optlen calls", 41L, (long)IPV6_V6ONLY, 4L, 2L);
	is("tcp.ipv6.setsockopt optstr", "IPV6_V6ONLY");
	is("tcp.ipv6.setsockopt optstr", "UNDEF_SOCKOPT(222)");
	is("tcp.ipv6.setsockopt name", "tcp.ipv6.setsockopt");
	are("tcp.ipv6.setsockopt.return", "ret", 0L);
	are("tcp.ipv6.setsockopt.return", "ret", -92L);
	are("tcp.setsockopt", "level", 41L);
	is("tcp.setsockopt optstr", "IPV6_V6ONLY");
	close(udp_fd);
	close(fd);
}

static void udp(void)
{
	struct sockaddr_in at = at_port(UDP_PORT), none = { .sin_family = AF_UNSPEC };
	int server = socket(AF_INET, SOCK_DGRAM, 0), client = socket(AF_INET, SOCK_DGRAM, 0);
	static char bytes[4096];
	long port;

	must(!bind(server, (struct sockaddr *)&at, sizeof(at)) && !connect(client, (struct sockaddr *)&at, sizeof(at)), "udp");
	port = port_of(client);
	must(send(client, bytes, 300, 0) == 300 && recv(server, bytes, sizeof(bytes), 0) == 300, "udp");
	of_sock("udp.sendmsg", 300, port, UDP_PORT);
	of_sock("udp.sendmsg.return", 300, port, UDP_PORT);
	are("udp.recvmsg", "size family sport", 4096L, 2L, (long)UDP_PORT);
	are("udp.recvmsg.return", "size family sport", 300L, 2L, (long)UDP_PORT);
	are("netdev.transmit", "length protocol", 300L + 8 + 20 + 14, 0x800L);
	is("netdev.transmit dev_name", "lo");
	are("netdev.hard_transmit", "length protocol", 300L + 8 + 20 + 14, 0x800L);
	is("netdev.hard_transmit dev_name", "lo");
	are("netdev.receive", "length protocol", 300L + 8 + 20, 0x800L);
	is("netdev.receive dev_name", "lo");
	connect(client, (struct sockaddr *)&none, sizeof(none));
	are("udp.disconnect", "family flags", 2L, (long)O_RDWR);
	are("udp.disconnect.return", "ret", 0L);
	close(server);
	close(client);
}

/* ---- files -----------------------------------------------------------------------*/

static void of_file(const char *alias, const char *path, long ino)
{
	char name[128];

	snprintf(name, sizeof(name), "%s pathname", alias);
	is(name, "%s", path);
	are(alias, "ino", ino);
}

/* Does the kernel call a part of that function alone, where the compiler inlined its beginning (W0117)? */
static int is_split(const char *function)
{
	FILE *names = fopen("/proc/kallsyms", "r");
	static char buffer[1 << 16];
	char line[512], part[64];
	int found = 0;

	if (names)
		setvbuf(names, buffer, _IOFBF, sizeof(buffer));		/* each read is some rows of the script's */
	snprintf(part, sizeof(part), " %s.part.", function);
	while (names && !found && fgets(line, sizeof(line), names))
		found = strstr(line, part) != NULL;
	if (names)
		fclose(names);
	return found;
}

static void in_folder(const char *alias, const char *folder, const char *file)
{
	char name[128], result[128];
	struct stat s;

	must(!stat(folder, &s), folder);
	are(alias, "ino", (long)s.st_ino);
	snprintf(name, sizeof(name), "%s filename", alias);
	is(name, "%s", file);
	snprintf(result, sizeof(result), "%s.return", alias);
	if (strcmp(alias, "vfs.mkdir"))
		are(result, "ret error", 0L, 0L);
}

static void files(void)
{
	char folder[4096], path[5000], text[500];
	struct iovec two[2] = { { text, 100 }, { text + 100, 50 } };
	struct stat s;
	int fd;

	must(getcwd(folder, sizeof(folder)) != NULL, "getcwd");
	snprintf(path, sizeof(path), "%s/values.data", folder);
	unlink("values.data");
	fd = open("values.data", O_RDWR | O_CREAT | O_EXCL, 0600);
	must(fd >= 0 && !fstat(fd, &s), path);
	of_file("vfs.open", path, (long)s.st_ino);
	is("vfs.open filename", "values.data");
	is("vfs.open argstr", "%s, its own", path);
	is("vfs.open.return argstr", "%s, its own", path);
	are("vfs.open.return", "ret error", 0L, 0L);
	must(!mknod("values.made", S_IFREG | 0600, 0) && !unlink("values.made"), "values.made");
	in_folder("vfs.create", ".", "values.made");
	memset(text, 'x', sizeof(text));
	must(write(fd, text, 500) == 500 && pwrite(fd, text, 30, 70) == 30, path);
	of_file("vfs.write", path, (long)s.st_ino);
	are("vfs.write", "buf bytes_to_write pos", (long)text, 500L, 0L);
	is("vfs.write name", "vfs.write");
	is("vfs.write argstr", "30, 70, 0x%lx", (long)text);
	are("vfs.write", "bytes_to_write pos", 30L, 70L);
	are("vfs.write.return", "bytes_to_write bytes_written ret error", 500L, 500L, 500L, 0L);
	are("vfs.write.return", "bytes_written pos", 30L, 70L);
	must(write(fd, nowhere, 1) < 0, "to write of no memory");
	is("vfs.write.return retstr", "-14");
	must(pread(fd, text, 400, 200) == 300, path);
	of_file("vfs.read", path, (long)s.st_ino);
	are("vfs.read", "buf bytes_to_read pos", (long)text, 400L, 200L);
	is("vfs.read argstr", "400, 200, 0x%lx", (long)text);
	are("vfs.read.return", "bytes_to_read bytes_read ret error pos", 400L, 300L, 300L, 0L, 200L);
	is("vfs.read.return retstr", "300");
	must(preadv(fd, two, 2, 10) == 150 && pwritev(fd, two, 2, 500) == 150, path);
	of_file("vfs.readv", path, (long)s.st_ino);
	are("vfs.readv", "vec vlen pos bytes_to_read", (long)two, 2L, 10L, 150L);
	is("vfs.readv argstr", "150, 10, 0x%lx", (long)two);
	are("vfs.readv.return", "bytes_read ret vec vlen pos bytes_to_read", 150L, 150L, (long)two, 2L, 10L, 150L);
	are("vfs.writev", "vec vlen pos bytes_to_write", (long)two, 2L, 500L, 150L);
	are("vfs.writev.return", "bytes_written ret vec vlen pos bytes_to_write", 150L, 150L, (long)two, 2L, 500L, 150L);
	must(!fsync(fd) && !fdatasync(fd) && fsync(-1), path);
	of_file("vfs.fsync", path, (long)s.st_ino);
	are("vfs.fsync", "calls", 2L);
	close(fd);
	must(!symlink("values.data", "values.link"), "values.link");
	in_folder("vfs.symlink", ".", "values.link");
	unlink("values.link");
	in_folder("vfs.unlink", ".", "values.link");
	mkdir("values.dir", 0700);
	in_folder("vfs.mkdir", ".", "values.dir");
	rmdir("values.dir");
	if (!is_split("vfs_rmdir"))
		in_folder("vfs.rmdir", ".", "values.dir");
	unlink("values.data");
}

/* A file system that has no functions of its own for this. */
static void generic_files(void)
{
	char folder[4096], path[5000], text[500] = "";
	loff_t from = 10, to = 1000;
	struct stat s;
	int fd, ends[2];
	char *at;

	must(getcwd(folder, sizeof(folder)) && !mkdir("values.ram", 0700) && !mount("none", "values.ram", "ramfs", 0, NULL), "ramfs");
	snprintf(path, sizeof(path), "%s/values.ram/data", folder);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	must(fd >= 0 && !fstat(fd, &s) && !pipe(ends), path);
	must(write(fd, text, 300) == 300 && pread(fd, text, 200, 150) == 150, path);
	of_file("generic.fop.write_iter", path, (long)s.st_ino);
	are("generic.fop.write_iter", "buf count size pos", (long)text, 300L, 300L, 0L);
	is("generic.fop.write_iter name", "generic_file_write_iter");
	are("generic.fop.write_iter.return", "bytes_written size error", 300L, 300L, 0L);
	is("generic.fop.write_iter.return pathname", "%s", path);
	of_file("generic.fop.read_iter", path, (long)s.st_ino);
	are("generic.fop.read_iter", "buf count size pos", (long)text, 200L, 200L, 150L);
	is("generic.fop.read_iter argstr", "200, 150, 0x%lx", (long)text);
	are("generic.fop.read_iter.return", "bytes_read size error", 150L, 150L, 0L);
	is("generic.fop.read_iter.return retstr", "150");
	must(lseek(fd, -40, SEEK_END) == 260 && lseek(fd, -7, SEEK_SET) < 0, path);
	of_file("generic.fop.llseek", path, (long)s.st_ino);
	are("generic.fop.llseek", "offset whence", -40L, 2L);
	is("generic.fop.llseek whence_str", "SEEK_END");
	is("generic.fop.llseek argstr", "-40, 2");
	is("generic.fop.llseek.return retstr", "260");
	are("generic.fop.llseek.return", "offset whence error", -7L, 0L, -22L);
	is("generic.fop.llseek.return error_str", "EINVAL");
	at = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	must(at != MAP_FAILED, "mmap");
	of_file("generic.fop.mmap", path, (long)s.st_ino);
	are("generic.fop.mmap", "vm_start vm_end read_only", (long)at, (long)at + 8192, 1L);
	is("generic.fop.mmap.return retstr", "0");
	must(splice(fd, &from, ends[1], NULL, 100, 0) == 100 && splice(ends[0], NULL, fd, &to, 100, 0) == 100, "splice");
	of_file("generic.fop.splice_read", path, (long)s.st_ino);
	are("generic.fop.splice_read", "len size flags", 100L, 100L, 0L);
	are("generic.fop.splice_read.return", "ret size", 100L, 100L);
	of_file("generic.fop.splice_write", path, (long)s.st_ino);
	is("generic.fop.splice_write argstr", "100, 0");
	are("generic.fop.splice_write.return", "ret size", 100L, 100L);
	munmap(at, 8192);
	close(fd);
	must(!umount("values.ram") && !rmdir("values.ram"), "values.ram");
}

/* ---- memory ----------------------------------------------------------------------*/

static void write_to_parents_page(volatile char *at)
{
	pid_t child = fork();
	int status;

	if (!child) {
		*at = 2;
		_exit(0);
	}
	waitpid(child, &status, 0);
}

static void memory(void)
{
	long page = sysconf(_SC_PAGESIZE), brk = (long)sbrk(0);
	volatile char *at = mmap(NULL, (size_t)(7 * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), read;

	are("vm.mmap", "address length", 0L, 7 * page);
	at[0] = 1;
	are("vm.pagefault", "address write_access", (long)at, 1L);
	read = at[3 * page];
	(void)read;
	are("vm.pagefault", "address write_access", (long)at + 3 * page, 0L);
	at[3 * page] = 1;			/* it was the page of zeros */
	are("vm.write_shared", "address", (long)at + 3 * page);
	are("vm.write_shared_copy", "of_zeros", (long)at + 3 * page);
	write_to_parents_page(at);
	are("vm.write_shared_copy", "of_another_page", (long)at);
	munmap((void *)at, (size_t)(7 * page));
	are("vm.munmap", "address length", (long)at, 7 * page);
	sbrk(3 * page);
	are("vm.brk", "address length", (brk + page - 1) & -page, ((brk + 3 * page + page - 1) & -page) - ((brk + page - 1) & -page));
}

/* ---- processes -------------------------------------------------------------------*/

static void *nothing(void *unused) { return unused; }

static void processes(void)
{
	pthread_t thread;
	long pid = getpid(), child;
	int status;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (!sched_setaffinity(0, sizeof(cpus), &cpus) && sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		CPU_ZERO(&cpus);
		CPU_SET(1, &cpus);
		sched_setaffinity(0, sizeof(cpus), &cpus);
		are("scheduler.migrate", "pid priority cpu_from cpu_to", pid, 120L, 0L, 1L);
	}
	must(!pthread_create(&thread, NULL, nothing, NULL) && !pthread_join(thread, NULL), "thread");
	are("scheduler.process_exit", "of_its_threads", 1L);
	child = fork();
	if (!child) {
		usleep(20000);
		_exit(7);
	}
	waitpid((pid_t)child, &status, 0);
	for (int i = 0; i < 3; i++)		/* what is left of it goes when no processor can see it any more */
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	are("kprocess.create", "new_pid new_tid", child, child);
	are("kprocess.exit", "code", 7L << 8);
	are("kprocess.release", "released_pid released_tid", child, child);
	are("scheduler.process_fork", "parent_pid parent_tid child_pid child_tid", pid, pid, child, child);
	are("scheduler.wakeup_new", "task_pid task_tid task_priority", child, child, 120L);
	are("scheduler.process_exit", "pid priority", child, 120L);
	are("scheduler.process_free", "pid priority", child, 120L);
	are("scheduler.process_wait", "pid", child);
	are("scheduler.ctxswitch", "prev_pid prev_tid prev_priority", pid, pid, 120L);
	is("scheduler.ctxswitch prev_task_name", "values");
	are("scheduler.wakeup", "task_pid task_tid task_priority", pid, pid, 120L);
}

int main(int argc, char **argv)
{
	int fd;

	truth = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
	must(truth != NULL, "where to say so");
	setvbuf(truth, NULL, _IOFBF, 1 << 16);
	signals();
	signals_to_children();
	queued_signal();
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	up_loopback(fd);
	promiscuous();
	wrong_address(fd);
	tcp();
	tcp_option_of_ipv6();
	udp();
	files();
	generic_files();
	memory();
	processes();
	return fclose(truth) != 0;
}
