import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The process of this machine that listens on a port; undefined when that is not to be seen, as that of another user, or on
 * other systems than Linux. https://www.kernel.org/doc/Documentation/networking/proc_net_tcp.txt
 */
export async function listeningProcess(port: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set(
    tables
      .join('\n')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      // Local address, state (0A is listening), inode.
      .filter((fields) => fields[1]?.endsWith(`:${hexPort}`) === true && fields[3] === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  )
  if (sockets.size === 0) return undefined
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const files = await readdir(`/proc/${name}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${name}/fd/${file}`).catch(() => '')))
    if (links.some((link) => sockets.has(link))) return Number(name)
  }
  return undefined
}
