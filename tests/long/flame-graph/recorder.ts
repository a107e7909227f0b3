import type { CDPSession, Page } from 'playwright'

/** What the page did during one kind of use, in milliseconds. */
export interface Recorded {
  name: string
  /** From one frame to the next, of those in which the graph was drawn. */
  frames: number[]
  /** What the page's own thread computed, without what it waited for; so others on the machine do not count. */
  cpuMs: number
  /** Tasks of the page's own thread that took longer than 50 ms. */
  longTasks: number[]
}

/** Runs in the page before anything else: times of frames and of drawings, and long tasks. */
const inPage = `(() => {
  const record = { frames: [], draws: [], longTasks: [] }
  globalThis.flameRecord = record
  const next = (time) => { record.frames.push(time); requestAnimationFrame(next) }
  requestAnimationFrame(next)
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) record.longTasks.push([startTime, duration])
  }).observe({ type: 'longtask', buffered: true })
  const { setTransform } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.setTransform = function (...matrix) {
    record.draws.push(performance.now())
    return setTransform.apply(this, matrix)
  }
})()`

export async function recordFrames(page: Page): Promise<void> {
  await page.addInitScript(inPage)
}

/** What was recorded while something was done. */
export async function recorded(page: Page, name: string, use: () => Promise<void>): Promise<Recorded> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuBeforeMs = await cpuTime(devTools)
  const fromMs = await page.evaluate<number>('performance.now()')
  await use()
  const cpuMs = (await cpuTime(devTools)) - cpuBeforeMs
  await devTools.detach()
  // Long tasks are told a little later.
  await page.waitForTimeout(300)
  const { frames, draws, longTasks } = await page.evaluate<{
    frames: number[]
    draws: number[]
    longTasks: [startMs: number, durationMs: number][]
  }>('globalThis.flameRecord')
  const drawnFrames: number[] = []
  let draw = draws.findIndex((time) => time >= fromMs)
  for (const [index, start] of frames.entries()) {
    const end = frames[index + 1]
    if (start < fromMs || end === undefined) continue
    let isDrawn = false
    for (; draw >= 0 && draw < draws.length && (draws[draw] ?? 0) < end; draw++) isDrawn = true
    if (isDrawn) drawnFrames.push(end - start)
  }
  return {
    name,
    frames: drawnFrames,
    cpuMs,
    longTasks: longTasks.filter(([start]) => start >= fromMs).map(([, durationMs]) => durationMs),
  }
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Performance/: in seconds. */
async function cpuTime(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

/** The 95th percentile, or another one: the smallest value that so many are at or below. */
export function percentile(values: readonly number[], share = 0.95): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
