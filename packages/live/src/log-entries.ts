import type { LiveLog } from './push.ts'

/** The columns of a log besides `at`. */
const columns = ['value', 'count', 'kind', 'thread', 'text'] as const

/** Some of the entries, without what was lost. */
export function sliceLog(log: LiveLog, start: number, end = log.at.length): LiveLog {
  const part: LiveLog = { section: log.section, item: log.item, at: log.at.slice(start, end) }
  for (const name of columns) {
    const column = log[name]
    if (column !== undefined) Object.assign(part, { [name]: column.slice(start, end) })
  }
  return part
}

/** Logs of one item as one, in this order. A column that only some have is null for the others. */
export function joinLogs(logs: readonly [LiveLog, ...LiveLog[]]): LiveLog {
  const [first] = logs
  if (logs.length === 1) return first
  const lost = logs.reduce((sum, log) => sum + (log.lost ?? 0), 0)
  const joined: LiveLog = { section: first.section, item: first.item, at: logs.flatMap((log) => log.at) }
  for (const name of columns) {
    if (logs.every((log) => log[name] === undefined)) continue
    Object.assign(joined, {
      [name]: logs.flatMap((log): (string | number | null)[] => log[name] ?? log.at.map(() => null)),
    })
  }
  return lost === 0 ? joined : { ...joined, lost }
}
