import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const MS_PER_TICK = 10
const CALM_SHARE = 0.1
const TRIES_MAX = 20

/** Waits until other programs use less than a tenth of one processor for a second, but no longer than 20 seconds. */
export async function waitForCalm(): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = othersMs()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    if (othersMs() - before < 1000 * CALM_SHARE) return
  }
}

/**
 * Processor time since the machine started that was not used by this process or its finished children. Linux only.
 * It takes tools that wait for their own children; Vitest therefore runs its workers as threads here.
 */
export function othersMs(): number {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  // After the name, which may hold blanks, come the state (field 3) and so on; utime, stime, cutime, cstime are 14 to 17.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  return busy - own * MS_PER_TICK
}
