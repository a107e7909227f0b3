const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Interruption = (typeof signals)[number]

/**
 * While `use` runs, Ctrl-C and its like end what it is doing and not this process, so that it can clean up behind itself.
 */
export async function interruptible<T>(use: (interruption: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => controller.abort(signal)
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await use(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}

/** The signal that came. */
export function signalOf({ reason }: AbortSignal): Interruption {
  return signals.find((signal) => signal === reason) ?? 'SIGTERM'
}
