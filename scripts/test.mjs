// `npm test`: all tests but two projects that take minutes more: `npm test -- --project installation --project guides` boots platforms
// with settings of their own, and does what guides and tutorials say, letter by letter. Arguments go to Vitest: `npm test -- packages/queue`, `npm test -- --project unit`.
import { handOver } from './lib/hand-over.mjs'
import { prepare } from './lib/prepare.mjs'

const args = process.argv.slice(2)
await prepare()
handOver([
  'node_modules/vitest/vitest.mjs',
  'run',
  ...(args.length > 0 ? args : ['measured', 'unit', 'system'].flatMap((name) => ['--project', name])),
])
