import { readFileSync } from 'node:fs'

const MS_PER_TICK = 10
const CALM_SHARE = 0.1
const TRIES_MAX = 3

/** Waits until other programs use less than a tenth of one processor for a second, but no longer than three seconds. */
export async function waitForCalm(): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = othersMs()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    if (othersMs() - before < 1000 * CALM_SHARE) return
  }
}

/**
 * Processor time since the machine started that was not used by this process or its finished children, time
 * that the host of a virtual machine withheld included. Linux only.
 * It takes tools that wait for their own children; Vitest therefore runs its workers as threads here.
 */
export function othersMs(): number {
  // Per state since the start: user nice system idle iowait irq softirq steal; steal is what other virtual machines took.
  const ticks =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).slice(1, 9).map(Number) ?? []
  const busy = ticks.reduce((sum, own, state) => (state === 3 || state === 4 ? sum : sum + own), 0)
  // After the name, which may hold blanks, come the state (field 3) and so on; utime, stime, cutime, cstime are 14 to 17.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticksOfState) => sum + Number(ticksOfState), 0)
  return (busy - own) * MS_PER_TICK
}
