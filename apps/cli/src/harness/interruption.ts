const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Interruption = (typeof signals)[number]

/**
 * While `use` runs, Ctrl-C and its like end what it is doing and not this process, so that it can clean up behind itself.
 * @param isForReaders Whether it ends, too, when nobody reads what it prints any more: what has no end of its own would go on for ever
 */
export async function interruptible<T>(
  use: (interruption: AbortSignal) => Promise<T>,
  { isForReaders = false }: { isForReaders?: boolean } = {},
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => controller.abort(signal)
  const endUnread = () => controller.abort()
  for (const signal of signals) process.on(signal, interrupt)
  if (isForReaders) process.stdout.on('error', endUnread)
  try {
    return await use(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    process.stdout.off('error', endUnread)
  }
}

/** The signal that came. */
export function signalOf({ reason }: AbortSignal): Interruption {
  return signals.find((signal) => signal === reason) ?? 'SIGTERM'
}
