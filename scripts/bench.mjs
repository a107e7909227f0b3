// `npm run bench -- <name> [--json]`: one of our own benchmarks, `bench/<name>/run.ts`.
import { existsSync } from 'node:fs'
import { inRoot } from './lib/paths.mjs'
import { namesIn, runNamed } from './lib/run-named.mjs'

const names = namesIn('bench', (entry) => (existsSync(inRoot('bench', entry, 'run.ts')) ? entry : undefined))

await runNamed(
  { command: 'npm run bench', names, fileOf: (name) => `bench/${name}/run.ts` },
  process.argv.slice(2),
)
