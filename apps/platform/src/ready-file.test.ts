import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeReadyFile, writeReadyFile } from './ready-file.ts'

test('the ready file is for us alone, replaced as a whole and removed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'flamegate-ready-'))
  const content = {
    url: 'http://127.0.0.1:4170',
    mcpUrl: 'http://127.0.0.1:4170/mcp',
    apiUrl: 'http://127.0.0.1:4170/v1',
    pid: 1,
    demo: { email: 'a@b.example', password: 'x' },
  }
  await writeReadyFile(dir, content)
  await writeReadyFile(dir, { ...content, pid: 2 })
  expect(JSON.parse(await readFile(join(dir, 'ready.json'), 'utf8'))).toEqual({ ...content, pid: 2 })
  expect((await stat(join(dir, 'ready.json'))).mode & 0o777).toBe(0o600)
  await removeReadyFile(dir)
  await removeReadyFile(dir)
  expect(await readdir(dir)).toEqual([])
  await rm(dir, { recursive: true })
})
