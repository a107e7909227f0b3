import { readFileSync } from 'node:fs'

/** How much of the machine's memory the platform's processes have, in MiB. */
export interface MemorySample {
  platformMib: number
  /** 0 while there is none. */
  workerMib: number
}

export function sampleMemory(platformPid: number): MemorySample {
  return { platformMib: residentMib(platformPid), workerMib: residentMib(workerOf(platformPid)) }
}

function workerOf(platformPid: number): number | undefined {
  const children = readFileSync(`/proc/${platformPid}/task/${platformPid}/children`, 'utf8')
  return children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .find((pid) => textOf(`/proc/${pid}/cmdline`).includes('apps/worker'))
}

function residentMib(pid: number | undefined): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(pid === undefined ? '' : textOf(`/proc/${pid}/status`))?.[1]
  return Math.round(Number(kib ?? 0) / 1024)
}

/** Nothing of a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** How it was after a tenth, in the second quarter and in the last: in the first one a process still fills its caches. */
export interface MemoryGrowth {
  tenthMib: number
  earlyMib: number
  lateMib: number
}

export function growth(mib: readonly number[]): MemoryGrowth {
  const quarter = Math.floor(mib.length / 4)
  return {
    tenthMib: mib[Math.floor(mib.length / 10)] ?? 0,
    earlyMib: median(mib.slice(quarter, 2 * quarter)),
    lateMib: median(mib.slice(-Math.max(1, quarter))),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
