import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process was started, in the system's own terms; undefined when there is no such process. Together with the
 * process id this tells a process from a later one that was given the same number, as happens after every restart of a
 * container.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    try {
      const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
      return text.trim() || undefined
    } catch {
      return undefined
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc_pid_stat(5): the name (2) is in parentheses and may hold anything; then state (3), …, starttime (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
