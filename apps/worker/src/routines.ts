/** What a worker does again and again, besides jobs. */
export interface Routine {
  /** As the metrics call it. */
  name: string
  everyMs: number
  run: () => Promise<unknown>
  /** What the log says when it fails; it is tried again when its time comes. */
  complaint: string
  /** Also at once. */
  isForStart?: boolean
}

/** A round of a routine that is over. */
export interface EndedRound {
  name: string
  hasFailed: boolean
  durationMs: number
}

export interface RoutineOptions {
  onRound?: ((round: EndedRound) => void) | undefined
  log: { error(fields: { err: unknown }, message: string): void }
}

/** Does each when its time comes, and none keeps the process alive. */
export function startRoutines(
  routines: readonly Routine[],
  { onRound, log }: RoutineOptions,
): { stop(): void } {
  async function round({ name, run, complaint }: Routine): Promise<void> {
    const startedAt = performance.now()
    let hasFailed = false
    try {
      await run()
    } catch (error) {
      hasFailed = true
      log.error({ err: error }, complaint)
    }
    onRound?.({ name, hasFailed, durationMs: performance.now() - startedAt })
  }
  const timers = routines.map((routine) => {
    if (routine.isForStart === true) void round(routine)
    return setInterval(() => void round(routine), routine.everyMs).unref()
  })
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
