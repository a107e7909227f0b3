/** Whether objects and lists are inside one another more than `levels` times. Aliases may make a value a circle. */
export function isTooDeep(root: unknown, levels: number): boolean {
  const seen = new Set<unknown>()
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null || seen.has(value)) continue
      if (depth === levels) return true
      seen.add(value)
      for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
  return false
}
