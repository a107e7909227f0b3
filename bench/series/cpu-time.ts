import { readdirSync, readFileSync } from 'node:fs'

/** As Linux counts it in /proc: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const msPerTick = 10

/**
 * Milliseconds of processor time of this process and of a PostgreSQL server, with all its processes, those that ended among
 * them. On a machine that others use as well, two sides compare by this and not by the clock.
 * @param backendPid any of the server's that is there now; it may end later
 */
export function cpuTimeOf(backendPid: number): () => number {
  const server = statOf(backendPid)?.parent
  if (server === undefined) throw new RangeError(`There is no process ${backendPid}`)
  return () => {
    const { user, system } = process.cpuUsage()
    let ticks = statOf(server)?.ticksOfEnded ?? 0
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
      if (stat && (stat.parent === server || Number(name) === server)) ticks += stat.ticks
    }
    return (user + system) / 1_000 + ticks * msPerTick
  }
}

function statOf(pid: number): { parent: number; ticks: number; ticksOfEnded: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program, in brackets, may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (place: number) => Number(fields[place - 3])
  return { parent: number(4), ticks: number(14) + number(15), ticksOfEnded: number(16) + number(17) }
}
