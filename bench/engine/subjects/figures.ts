/** What a subject did, after it had warmed up. */
export interface Figures {
  /** Answers in the time that counts. */
  requests: number
  cpuSeconds: number
  /** Answers in all, also those of the time that does not count. */
  answered: number
  failed: number
  p50Ms: number | null
  p99Ms: number | null
  more?: Record<string, number>
}

/** As the last line of the output. */
export function tellFigures(figures: Figures): void {
  console.log(`\n${JSON.stringify(figures)}`)
}

export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
