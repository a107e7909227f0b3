const holders = new Set(['container', 'if', 'while', 'loop', 'for_each', 'once', 'random'])

/** Whether the time and the failures of an action are those of what it holds, so that totals leave it out. */
export function holdsOthers({ type }: { type: string }): boolean {
  return holders.has(type)
}
