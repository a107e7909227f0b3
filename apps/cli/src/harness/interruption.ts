const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Interruption = (typeof signals)[number]

/**
 * While `use` runs, Ctrl-C and its like end what it is doing and not this process, so that it can clean up behind itself.
 * @param isForReaders Whether it ends, too, when nobody reads what it prints any more: what has no end of its own would go on for ever
 * @param endsWithParent Whether it ends, too, with the program that forked it, such as the platform beside which it runs
 */
export async function interruptible<T>(
  use: (interruption: AbortSignal) => Promise<T>,
  { isForReaders = false, endsWithParent = false }: { isForReaders?: boolean; endsWithParent?: boolean } = {},
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => controller.abort(signal)
  const end = () => controller.abort()
  for (const signal of signals) process.on(signal, interrupt)
  if (isForReaders) process.stdout.on('error', end)
  if (endsWithParent) process.on('disconnect', end)
  // It may have gone while we started. Who was not forked has no such property, whatever its types say.
  if (endsWithParent && 'connected' in process && !process.connected) end()
  try {
    return await use(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    process.stdout.off('error', end)
    process.off('disconnect', end)
  }
}

/** The signal that came. */
export function signalOf({ reason }: AbortSignal): Interruption {
  return signals.find((signal) => signal === reason) ?? 'SIGTERM'
}
