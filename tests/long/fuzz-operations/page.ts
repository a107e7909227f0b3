import { cpus } from 'node:os'
import type { MemoryGrowth } from './memory.ts'

export interface FuzzResult {
  seed: number
  /** Number of the first request. */
  from: number
  requests: number
  statuses: Map<string, number>
  kinds: Map<string, number>
  surfaces: Map<string, number>
  operations: Map<string, number>
  /** How long their answers took, all of them together. */
  durationsMs: Map<string, number>
  slowest: { durationMs: number; what: string }
  /** Numbers of the requests, by what was wrong. */
  findings: Map<string, string[]>
  /** Of the platform's process, and of its worker's. */
  memory: MemoryGrowth
  workerMemory: MemoryGrowth
  seconds: number
}

const [begin, end] = ['<!-- runs: begin -->', '<!-- runs: end -->']

/** docs/benchmarks/fuzz-operations.md, with a line for this run behind those that `before` tells of. */
export function fuzzPage(result: FuzzResult, before: string): string {
  const runs = [...runsOf(before), runOf(result)]
  const total = runs.reduce((sum, [, , , requests]) => sum + Number(requests?.replaceAll(',', '')), 0)
  const { statuses, kinds, surfaces, operations, findings, slowest } = result
  const [least, leastRequests] = [...operations].toSorted(([, a], [, b]) => a - b)[0] ?? ['none', 0]
  return `# Operations, fuzzed

Whether anything that comes over REST or MCP makes the platform answer with a 5xx, hang, end, grow, or show how it is made inside.
Every operation is called over its route, over \`/v1/tools/{name}\` and as a tool, in a workspace that has one of everything, and that is
made anew every 25,000 requests, because some of them delete. Inputs are
made of the world's own ids, of the operation's examples and of its schema, and then changed: to the limits of what the schema
allows and one beyond; to other types; to texts of control characters, lone surrogates, megabytes, patterns and SQL; numbers
that JavaScript cannot hold; lists of thousands and nesting of tens of thousands; keys of prototypes; bodies that are cut, damaged,
compressed, bombs, of other encodings and content types; conditional, forwarding, tracing and protocol headers. Some go elsewhere: to
other methods and addresses, and with other messages of MCP. Each request is made of the seed and its number, so that one that is
told can be made again with the same version. Operations that leave work to do after their answer (status 202) get a third of the requests that others
get, because that work costs more than the answers. The limits of calls are off; they have tests of their own.

Wrong is a 5xx, an internal error over MCP, no answer within a minute, a connection that breaks, a refusal without problem
details, words of a stack or of the database, a property that came from a prototype, anything that the platform logs as an error,
an end of one of its processes, and more memory in the last quarter of a run than 1.25 times that of its second quarter.

    npm run long -- fuzz-operations --requests 1000000 --seed 1

A run with another \`--seed\`, or from where the last one of a seed stopped (\`--from\`), adds a line. ${total.toLocaleString('en')} requests so far, on a
machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that may have had other work:

${begin}

| seen on | seed | from | requests | a second | MiB at 10 % | MiB at the end | worker, MiB at 10 % | MiB at the end | slowest | findings |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --- | --: |
${runs.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

${end}

"MiB" is what the platform's process, which is gateway and API, has of the machine's memory; "at the end" is the median of the last quarter.

## The last of them

The slowest answer took ${(slowest.durationMs / 1000).toFixed(1)} s: ${slowest.what}. ${operations.size} operations were called, the least often ${least}: ${leastRequests.toLocaleString('en')} times.

| status | answers |
| --- | --: |
${rows(statuses)}

| over | requests |
| --- | --: |
${rows(surfaces)}

| what was sent | requests |
| --- | --: |
${rows(kinds)}

Where the time until answers went:

| operation | share | ms each |
| --- | --: | --: |
${slowOperations(result)}

${findings.size === 0 ? 'Nothing was found.' : `Found, with the numbers of the first requests:\n\n${[...findings].map(([what, where]) => `- ${what}: ${where.length} times (${where.slice(0, 3).join(', ')})`).join('\n')}`}
`
}

type Cells = readonly string[]

/** Those that a page tells of. */
const slowOperationsTold = 8

function slowOperations({ durationsMs, operations }: FuzzResult): string {
  const totalMs = [...durationsMs.values()].reduce((sum, each) => sum + each, 0)
  return [...durationsMs]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, slowOperationsTold)
    .map(([name, ms]) => {
      const each = Math.round(ms / (operations.get(name) ?? 1))
      return `| ${name} | ${((100 * ms) / totalMs).toFixed(1)} % | ${each.toLocaleString('en')} |`
    })
    .join('\n')
}

function runsOf(page: string): Cells[] {
  const told = page.includes(begin) ? page.slice(page.indexOf(begin), page.indexOf(end)) : ''
  const lines = told.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function runOf(result: FuzzResult): Cells {
  const { seed, from, requests, memory, workerMemory, slowest, findings, seconds } = result
  return [
    new Date().toISOString().slice(0, 10),
    seed,
    from,
    requests,
    Math.round(requests / seconds),
    memory.tenthMib,
    memory.lateMib,
    workerMemory.tenthMib,
    workerMemory.lateMib,
    `${(slowest.durationMs / 1000).toFixed(1)} s`,
    findings.size,
  ].map((cell) => cell.toLocaleString('en'))
}

function rows(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, count]) => `| ${what} | ${count.toLocaleString('en')} |`)
    .join('\n')
}
