import { closeSync, openSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { readBenchResults } from '@flamegate/operations/read-bench-results'
import type { ResultProcessDone, ResultProcessStart } from './messages.ts'

// A process that reads the results of one load test. What is thrown here is a defect, and ends it.

// Nobody is there any more who would end it.
process.once('disconnect', () => process.exit(1))

const [start]: ResultProcessStart[] = await once(process, 'message')
if (start === undefined) throw new TypeError('Where to write comes first.')

const file = openSync(start.tickFile, 'wx', 0o600)
const done = await readBenchResults(process.stdin, (frame) => void writeSync(file, frame))
closeSync(file)
const message: ResultProcessDone = { done }
// Also where content is left that nobody reads.
process.send?.(message, undefined, undefined, () => process.exit(0))
