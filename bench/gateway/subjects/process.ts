import type { World } from '../world.ts'

/** What a process under test is asked, and what it says, over IPC. */
export type Question = { ask: 'usage'; collectGarbage?: boolean }
export interface Usage {
  /** User and system time of the whole process so far, all threads. */
  cpuSeconds: number
  memory: NodeJS.MemoryUsage
}

/**
 * Tells the parent where this process listens, and answers its questions from then on.
 * @param childSeconds Processor time of children that do a part of the work.
 */
export function report(url: string, childSeconds: () => number = () => 0): void {
  process.on('message', (question: Question) => {
    if (question.collectGarbage === true) globalThis.gc?.()
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    const usage: Usage = {
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 + childSeconds(),
      memory: process.memoryUsage(),
    }
    process.send?.(usage)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ url })
}

/** What the parent gave this process to know. What is not there for this kind of process is not asked for. */
export function givenWorld(): World & { isInProcess?: boolean; peersFolder: string; program: string } {
  const [, , json] = process.argv
  return JSON.parse(json ?? '{}')
}
