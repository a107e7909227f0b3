import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The process of this machine that listens on a port; undefined when that is not to be seen, as that of another user, or on
 * other systems than Linux.
 */
export async function listeningProcess(port: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const sockets = new Set(
    (await listeningSockets()).filter((each) => each.port === port).map(({ link }) => link),
  )
  if (sockets.size === 0) return undefined
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const links = await openFilesOf(name)
    if (links.some((link) => sockets.has(link))) return Number(name)
  }
  return undefined
}

/** On which a process of this user listens; empty on other systems than Linux. */
export async function listeningPorts(pid: number): Promise<number[]> {
  const links = new Set(await openFilesOf(String(pid)))
  const own = (await listeningSockets()).filter(({ link }) => links.has(link))
  return [...new Set(own.map(({ port }) => port))]
}

/** https://www.kernel.org/doc/Documentation/networking/proc_net_tcp.txt */
async function listeningSockets(): Promise<{ port: number; link: string }[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return (
    tables
      .join('\n')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      // Local address, state (0A is listening), inode.
      .filter((fields) => fields[3] === '0A')
      .map((fields) => ({
        port: Number.parseInt(fields[1]?.split(':')[1] ?? '', 16),
        link: `socket:[${fields[9]}]`,
      }))
  )
}

async function openFilesOf(pid: string): Promise<string[]> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
}
