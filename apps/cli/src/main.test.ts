import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

test('who reads no more, as head does, ends nothing', async () => {
  const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const said = text(child.stderr)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(await said).toBe('')
})
