/** How far back people look; the ids are seconds. */
export const liveWindows = [
  { id: '10', label: 'The last 10 seconds' },
  { id: '60', label: 'The last minute' },
  { id: '600', label: 'The last 10 minutes' },
  { id: '3600', label: 'The last hour' },
]

/** Seconds of a window of an address; undefined for all there is. */
export function secondsOf(window: string): number | undefined {
  return liveWindows.some(({ id }) => id === window) ? Number(window) : undefined
}
