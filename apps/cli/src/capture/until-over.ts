import { setTimeout as pause } from 'node:timers/promises'

/** Waits so many seconds, or until somebody interrupts. */
export async function untilOver(seconds: number, interruption: AbortSignal): Promise<void> {
  try {
    await pause(seconds * 1000, undefined, { signal: interruption })
  } catch (error) {
    if (!interruption.aborted) throw error
  }
}
