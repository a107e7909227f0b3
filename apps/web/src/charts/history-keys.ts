/** What a key does to a history chart, beyond going from run to run as on any slider. */
type HistoryCommand = { kind: 'zoom'; factor: number } | { kind: 'show-all' } | { kind: 'choose' }

/** How much closer one step of zooming comes. */
export const zoomStep = 0.5

const commands: Readonly<Record<string, HistoryCommand>> = {
  '+': { kind: 'zoom', factor: zoomStep },
  // The key of plus without Shift.
  '=': { kind: 'zoom', factor: zoomStep },
  '-': { kind: 'zoom', factor: 1 / zoomStep },
  '0': { kind: 'show-all' },
  Escape: { kind: 'show-all' },
  Enter: { kind: 'choose' },
  ' ': { kind: 'choose' },
}

/** Undefined for keys that mean nothing here. */
export function historyCommand(key: string): HistoryCommand | undefined {
  return Object.hasOwn(commands, key) ? commands[key] : undefined
}
