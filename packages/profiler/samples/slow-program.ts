// A program that pushes to a live app. What comes from its standard input makes it slow or quick; with that, it ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { startProfiler } from '../src/index.ts'

const profiler = startProfiler({ name: 'slow-program', intervalMs: 1000 })

const told = { isSlow: false, isOver: false }
process.stdin.on('data', (word: Buffer) => (told.isSlow = word.toString() === 'slow'))
process.stdin.on('end', () => (told.isOver = true))

const answer = profiler.measure('answer', () => sleep(told.isSlow ? 1000 : 1))

while (!told.isOver) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  await answer()
}
await profiler.stop()
