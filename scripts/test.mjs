// `npm test`: all tests. Arguments go to Vitest: `npm test -- packages/queue`, `npm test -- --project unit`.
import { handOver } from './lib/hand-over.mjs'
import { prepare } from './lib/prepare.mjs'

prepare()
handOver(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)])
