import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Counts the modules that a process loads, and says how many at its end. */
const counter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let modules = 0
  registerHooks({ load(url, context, next) { modules++; return next(url, context) } })
  process.on('exit', () => process.stdout.write('modules ' + modules))
`)}`

// Whoever asks first waits for it. All operations and importers would be some 700 more, which took most of the time.
test('the thread loads no more modules than it needs', () => {
  const { stdout } = spawnSync(
    process.execPath,
    ['--import', counter, join(import.meta.dirname, 'correlation-thread.ts')],
    { encoding: 'utf8' },
  )
  const modules = Number(/^modules (\d+)/.exec(stdout)?.[1])
  expect(modules).toBeGreaterThan(50)
  expect(modules).toBeLessThan(200)
})
