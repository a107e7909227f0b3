import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { applySettings } from './apply-settings.ts'

test('a file that Notepad wrote is changed like any other', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'mcp-applied-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const file = path.join(cwd, 'mcp-profiler.config.json')
  await writeFile(file, '\uFEFF{ "mcpServers": { "mine": { "command": "node" } } }')
  await applySettings(
    cwd,
    { kind: 'stdio', name: 'mine', from: 'the file', command: ['node'], env: {}, cwd },
    { UV_THREADPOOL_SIZE: '8' },
  )
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    mcpServers: { mine: { command: 'node', env: { UV_THREADPOOL_SIZE: '8' } } },
  })
})
