import type { KnownFailure } from './known-failures.ts'
import type { ScenarioResult } from './suite.ts'

/** One run of the suite. */
export interface Run {
  /** `2026-07-28`, `authorization` */
  name: string
  title: string
  results: readonly ScenarioResult[]
  known: readonly KnownFailure[]
}

/** The page of results. Without its date it is the same for the same results. */
export function conformancePage(runs: readonly Run[], suiteVersion: string, date: string): string {
  return `# Conformance

What the official conformance suite of the Model Context Protocol says about us. Written by
\`scripts/conformance.ts --write\`; \`.ci/run\` runs the same, and fails when anything is not as it is written here.

- Suite: \`@modelcontextprotocol/conformance\` ${suiteVersion}
- Last written: ${date}

| What | Scenarios that count | Pass | Others that ran | Pass | Checks passed | Checks failed |
| ---- | -------------------: | ---: | --------------: | ---: | ------------: | ------------: |
${runs.map(summaryRow).join('\n')}

The server is the gateway's MCP endpoint itself, on loopback, with the tools, prompts and resources that the suite asks
for beside our own, and open to everybody, because the suite brings no credential. That is a test program,
\`apps/gateway/src/testing/conformance/endpoint.ts\`, which no setting reaches. The authorization server is ours, with a
person who logs in and allows the suite.

Scenarios that do not count are extensions (tasks), and such as the suite itself calls pending or that came after the
revision.

## What does not pass

${runs.map(failureSection).join('\n\n')}

## All scenarios

${runs.map(scenarioSection).join('\n\n')}
`
}

const passes = ({ failures }: ScenarioResult) => failures.length === 0
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

function summaryRow({ title, results }: Run): string {
  const scored = results.filter(({ isScored }) => isScored)
  const others = results.filter(({ isScored }) => !isScored)
  const cells = [
    title,
    scored.length,
    scored.filter(passes).length,
    others.length,
    others.filter(passes).length,
    sum(results.map(({ passed }) => passed)),
    sum(results.map(({ failures }) => failures.length)),
  ]
  return `| ${cells.join(' | ')} |`
}

function failureSection({ title, known }: Run): string {
  const byReason = Map.groupBy(known, ({ reason }) => reason)
  const lines = [...byReason].map(
    ([reason, failures]) => `- ${failures.map(({ scenario }) => `\`${scenario}\``).join(', ')}: ${reason}`,
  )
  return [`**${title}**`, lines.length === 0 ? 'Everything passes.' : lines.join('\n')].join('\n\n')
}

function scenarioSection({ title, results }: Run): string {
  const rows = results.map((result) => {
    const { scenario, isScored, passed, warnings, failures } = result
    return `| \`${scenario}\` | ${isScored ? 'yes' : 'no'} | ${passed} | ${warnings} | ${failures.length} |`
  })
  return [
    `**${title}**`,
    '',
    '| Scenario | Counts | Checks passed | Warnings | Failed |',
    '| -------- | ------ | ------------: | -------: | -----: |',
    ...rows,
  ].join('\n')
}
