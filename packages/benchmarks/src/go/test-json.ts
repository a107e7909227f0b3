import { JsonValue } from '../json-value.ts'

/** `go test -json`: one event on each line, after those of the build (from Go 1.24 on), or what else go said on stderr. */
export function isGoTestJson(text: string): boolean {
  return /^\{.*"Action":"(start|output|run)"/m.test(text)
}

/**
 * What the tests printed, put together again: an event holds a piece of a line, and packages that run at the same time
 * come mixed.
 * @see https://pkg.go.dev/cmd/test2json
 */
export function joinGoTestOutput(text: string): string {
  const events = text.split('\n').flatMap((line) => parseEvent(line) ?? [])
  const packages = Map.groupBy(events, (event) => String(event.package))
  return [...packages.values()].map((own) => own.map(({ output }) => output).join('')).join('\n')
}

/** A line that is no event, and an event of the build, such as a compiler's message, are no output of a test. */
function parseEvent(line: string): { output: string; package: unknown } | undefined {
  try {
    const event = new JsonValue(JSON.parse(line))
    const output = event.get('Output').value
    const isOfTest = event.get('Action').value === 'output'
    return isOfTest && typeof output === 'string'
      ? { output, package: event.get('Package').value }
      : undefined
  } catch {
    return undefined
  }
}
