import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Counts the modules that a process loads, and says how many at its end. */
const counter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let modules = 0
  registerHooks({ load(url, context, next) { if (!url.startsWith('node:')) modules++; return next(url, context) } })
  process.on('exit', () => process.stderr.write('\\nmodules ' + modules))
`)}`

/** zod alone has about 95. One import of all operations, or of all formats, would be some 200 more. */
test.each([
  ['main.ts', ['--help'], 135],
  ['main.ts', ['upload', '--help'], 200],
  ['main.ts', ['agent', '--help'], 155],
  ['main.ts', ['whoami', '--help'], 155],
  ['main.ts', ['mcp-stdio', '--help'], 165],
  ['mcp-profiler.ts', ['--help'], 135],
  ['mcp-profiler.ts', ['test', '--help'], 370],
  ['mcp-profiler.ts', ['production', '--help'], 210],
  // As the threads of a load agent have it; outside of a thread it ends when all is loaded.
  ['load-agent/load-thread.ts', [], 560],
])('%s %j loads no more modules than it needs', (program, args, most) => {
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', counter, join(import.meta.dirname, program), ...args],
    { encoding: 'utf8' },
  )
  const modules = Number(/^modules (\d+)/m.exec(stderr)?.[1])
  expect(modules).toBeGreaterThan(50)
  expect(modules).toBeLessThan(most)
})
