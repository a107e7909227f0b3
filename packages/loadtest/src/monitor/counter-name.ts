/** Tells whether a counter is one of those that patterns name; `*` stands for anything. */
export function counterMatcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map(
    (pattern) => new RegExp(`^${pattern.split(/\*+/).map(escaped).join('.*')}$`, 's'),
  )
  return (name) => expressions.some((expression) => expression.test(name))
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
