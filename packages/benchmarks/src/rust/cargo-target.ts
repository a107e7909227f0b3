/**
 * The target that cargo says it runs, without the hash that it gives its programs: `Running benches/sum.rs
 * (target/release/deps/sum-8b173c29ce041afa)` is `benches/sum.rs`, and where it tells the program only, `sum`.
 * Undefined for any other line.
 */
export function cargoTarget(line: string): string | undefined {
  const [, told = '', program = ''] =
    /^\s*Running (?:unittests ?)?(\S*?)\s*(?:\(([^)]+)\))?$/.exec(line) ?? []
  if (told.endsWith('.rs')) return told
  const path = program === '' ? told : program
  const [, name] = /(?:^|[/\\])([^/\\]+?)(?:-[0-9a-f]{16})?(?:\.exe)?$/.exec(path) ?? []
  return name
}
