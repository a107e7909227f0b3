// `npm run long -- <name>`: a test that takes minutes or hours, `tests/long/<name>.ts`.
import { namesIn, runNamed } from './lib/run-named.mjs'

const names = namesIn(
  'tests/long',
  (entry) => /^(?!.*\.test\.)(?<name>.+)\.ts$/.exec(entry)?.groups?.['name'],
)

await runNamed(
  { command: 'npm run long', names, fileOf: (name) => `tests/long/${name}.ts` },
  process.argv.slice(2),
)
