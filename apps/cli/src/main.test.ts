import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const main = join(import.meta.dirname, 'main.ts')

test('main.ts runs as it is, and ends with the exit code', async () => {
  expect((await run(process.execPath, [main, '--help'])).stdout).toContain('Usage: flamegate <command>')
  await expect(run(process.execPath, [main, 'nonsense'])).rejects.toMatchObject({
    code: 2,
    stderr: 'There is no command nonsense. flamegate --help lists them.\n',
  })
})
