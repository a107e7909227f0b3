import { cpus } from 'node:os'
import type { LoopResult } from './loop.ts'

/** docs/benchmarks/loops.md */
export function loopsPage(results: readonly LoopResult[], skipped: readonly string[]): string {
  return `# Four loops, by tools alone

What an agent can do with profiles from end to end: small programs with something planted in them are measured and profiled,
an MCP client that knows nothing but the tools' answers decides what to change, and what it is told is held against what was
planted and against the clock. \`npm run long -- loops\` runs it again; it fails where an answer is wrong.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that had other work. Compare times with
their neighbours only, which were measured in turns.

${results.map(section).join('\n')}${skipped.length === 0 ? '' : `\n${skipped.map((each) => `Skipped: ${each}.`).join('\n')}\n`}
## What the tools cannot say of several programs

- Which part of a system has the time of its slowest requests: no tool takes spans or traces. The shares above come from spans
  that were written as collapsed stacks and uploaded as a profile, one for all requests and one for the slowest, so the agent
  has to know which requests were slow before it can ask.
- Where in a part the slowest requests spend their time: a profile is of all requests. Where samples carry a label of the
  request (Go's \`pprof.Do\`), \`labels\` chooses them; profiles of Node.js and Python have none. Render is named here
  because its rare long report costs more than all that it does every time.
- Shares of several profiles together: a CPU profile counts time at work, one of V8 also waiting, and cProfile all of the
  clock. \`compare_profiles\` refuses what has no sample type in common, and nothing adds up the rest.
`
}

function section({ title, transcript, faults }: LoopResult): string {
  const wrong = faults.map((fault) => `- **Wrong:** ${fault}`)
  return `## ${title}\n\n${[...transcript.map((line) => `- ${line}`), ...wrong].join('\n')}\n`
}
