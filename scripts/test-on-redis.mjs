// The tests of load tests once more, with their jobs in Redis: every platform that they boot gets one of its own. A new
// test is among them by itself, by what it speaks of. Left out are protocols, pages, benchmarks and profiles, for which it
// would only be the same again: that jobs are done on both backends is what `packages/queue` tests.
import { globSync, readFileSync } from 'node:fs'
import { handOver } from './lib/hand-over.mjs'
import { inRoot, root } from './lib/paths.mjs'

const ofLoadTests = /scenario|bench[-_ ]?(run|result|report)|load[-_ ]?generator|sla[-_ ]?profile|monitor/i
const withAQueue = /openTestQueue\(/

/**
 * @param {string} pattern of files
 * @param {RegExp} words one of which is in them
 */
function filesThatSay(pattern, words) {
  return globSync(pattern, { cwd: root }).filter((file) => words.test(readFileSync(inRoot(file), 'utf8')))
}

const files = [
  ...filesThatSay('tests/{system,installation}/**/*.test.ts', ofLoadTests),
  ...filesThatSay('{apps,packages}/*/src/**/*.test.ts', withAQueue),
]
process.env['FLAMEGATE_TEST_QUEUE'] = 'redis'
handOver(['node_modules/vitest/vitest.mjs', 'run', ...files, ...process.argv.slice(2)])
