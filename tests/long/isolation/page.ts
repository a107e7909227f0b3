import { cpus } from 'node:os'
import type { TimingResult } from './timing.ts'

export interface IsolationResult {
  seed: number
  canaries: number
  ids: number
  handles: number
  systematic: number
  random: number
  addresses: number
  sql: { tables: number; statements: number; rows: number }
  timing: TimingResult[]
  found: string[]
  seconds: number
}

/** docs/benchmarks/isolation.md */
export function isolationPage(result: IsolationResult): string {
  const { seed, canaries, ids, handles, systematic, random, addresses, sql, timing, found, seconds } = result
  const usable = timing.filter(({ isUsable }) => isUsable)
  return `# Isolation, tried

Whether somebody who knows everything that a workspace's own answers hold gets a byte of it in the name of another workspace. Two
workspaces have one of everything. Into every text that the first one's people can write goes a word that is nowhere else; then all of
its answers are walked for ids, cursors, tokens, confirmation tokens, signed addresses and names. The second one's owner, with an
access token of all scopes, then sends these: every id of every operation's input exchanged for the other's, each alone and all
together; any of them anywhere, drawn by lot; the addresses and messages of MCP that are no operations, with a token that is held to one
project, too; and signed addresses changed.
Each is sent once more with something of the same form that nobody has. What comes back may hold nothing of the first workspace that
was not sent, and must be the same but for what was sent. The same is tried in SQL as the role of the operations, under row-level
security: every verb on every table and column, and statements drawn by lot.

Times of answers are compared operation by operation, taken in turns, by the Mann-Whitney test; a difference counts as usable when p
is below 0.001 divided by the number of operations and Cliff's delta is beyond 0.33.

    npm run long -- isolation --seed ${seed}

Seen on ${new Date().toISOString().slice(0, 10)} with seed ${seed}, in ${Math.round(seconds / 60)} minutes on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that may have had other work.

| tried | count |
| --- | --: |
| texts with the word | ${n(canaries)} |
| ids that were found | ${n(ids)} |
| other handles | ${n(handles)} |
| exchanged ids, each with its counterpart | ${n(systematic)} |
| anything anywhere, each with its counterpart | ${n(random)} |
| other addresses and messages | ${n(addresses)} |
| SQL statements, on ${n(sql.tables)} tables with ${n(sql.rows)} rows of the other | ${n(sql.statements)} |
| operations whose times were compared, ${n(timing[0]?.samples ?? 0)} pairs each | ${n(timing.length)} |

The largest difference of times: ${largest(timing)}. ${usable.length === 0 ? 'None is usable.' : `Usable: ${usable.map(({ operation }) => operation).join(', ')}.`}

${found.length === 0 ? 'Nothing was found.' : `Found:\n\n${found.map(asCode).join('\n\n')}`}
`
}

/** What was answered is no Markdown. */
function asCode(text: string): string {
  return `    ${text.slice(0, 600).replaceAll('\n', '\n    ')}`
}

function largest(timing: readonly TimingResult[]): string {
  const [first] = timing.toSorted((a, b) => Math.abs(b.delta) - Math.abs(a.delta))
  return first === undefined
    ? 'none was compared'
    : `${first.operation} (delta ${first.delta.toFixed(2)}, p ${first.p.toPrecision(2)})`
}

function n(value: number): string {
  return value.toLocaleString('en')
}
