import { cpus } from 'node:os'
import type { FaultOutcome } from './faults.ts'

/**
 * docs/benchmarks/load-faults.md
 * @param loadBefore The load average of the machine before anything of this was started
 */
export function faultsPage(
  outcomes: readonly FaultOutcome[],
  skipped: readonly string[],
  loadBefore: number,
): string {
  return `# Faults in the middle of a load test

Two agents make load on a server that counts for itself: six users for 25 s, each request answered after 5 ms, every tenth with a
503. Something is broken in the middle, each process being one of its own, as in a deployment. A run must end in a state that its
message explains, its events must tell of the fault, and what the platform counted must be what the server answered; only of an
agent that is killed may its last seconds be missing. \`npm run long -- load-faults\` runs it again; it fails where one of these
does not hold.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})${othersAtWork(loadBefore)}.

| fault | queue | state | ended after | counted | answered | right |
| --- | --- | --- | --: | --: | --: | --- |
${outcomes.map(({ title, backend, state, endedAfterSeconds, counted, answered, wrong }) => `| ${title} | ${backend} | ${state} | ${endedAfterSeconds} s | ${counted} | ${answered} | ${wrong.length === 0 ? 'yes' : '**no**'} |`).join('\n')}
${skipped.map((each) => `\nSkipped: ${each}.\n`).join('')}
## What the runs told

${outcomes.map(section).join('\n')}`
}

/** Times are what they are because of that. */
function othersAtWork(loadBefore: number): string {
  return loadBefore < 0.5
    ? ''
    : `, which was shared with other work: its load average was ${loadBefore.toFixed(1)} before this began. Seconds are longer than on a machine of its own`
}

function section({ title, backend, events, message, wrong }: FaultOutcome): string {
  const lines = [...events.map((words) => `- ${words}`), ...wrong.map((words) => `- **Wrong:** ${words}`)]
  const end = message === '' ? '' : `\n\nThe message at its end: ${message}`
  return `### ${title} (${backend})\n\n${lines.join('\n')}${end}\n`
}
