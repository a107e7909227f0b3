import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllowList, readAllowList } from './allow-list.ts'

const parse = (allow: object) => parseAllowList(JSON.stringify({ name: 'staging', allow }), 'collect.json')

test('parseAllowList() reads what may be run, with what a kind can do and a minute as defaults', () => {
  expect(
    parse({
      shop: { kind: 'pprof', url: 'localhost:6060', types: ['heap'], seconds_max: 5, tags: ['shop'] },
      worker: { kind: 'inspect', url: '9229', description: 'The worker' },
      batch: { kind: 'node', command: ['node', 'batch.js'], cwd: '/srv' },
      jvm: { kind: 'jfr', pid_file: '/run/app.pid' },
    }),
  ).toEqual({
    name: 'staging',
    captures: [
      {
        name: 'shop',
        kind: 'pprof',
        target: { url: 'http://localhost:6060/' },
        types: ['heap'],
        secondsMax: 5,
        tags: ['shop'],
      },
      {
        name: 'worker',
        kind: 'inspect',
        target: { url: 'http://127.0.0.1:9229/' },
        types: ['cpu', 'heap', 'heap_snapshot'],
        secondsMax: 60,
        description: 'The worker',
        tags: [],
      },
      {
        name: 'batch',
        kind: 'node',
        target: { command: ['node', 'batch.js'] },
        cwd: '/srv',
        types: ['cpu', 'heap'],
        secondsMax: 60,
        tags: [],
      },
      {
        name: 'jvm',
        kind: 'jfr',
        target: { pidFile: '/run/app.pid' },
        types: ['cpu'],
        secondsMax: 60,
        tags: [],
      },
    ],
    mcpServers: [],
  })
})

test('parseAllowList() reads MCP servers that may be measured, with what is careful as defaults', () => {
  const { mcpServers, captures } = parseAllowList(
    JSON.stringify({
      mcp: {
        notes: { command: ['node', 'notes.js'], env: { KEY: 'secret' }, operations: ['look_up'] },
        shop: { url: 'http://localhost:3000/mcp', commands: ['profile'], settings: { POOL: ['4'] } },
      },
    }),
    'collect.json',
  )
  expect(captures).toEqual([])
  expect(mcpServers).toMatchObject([
    {
      name: 'notes',
      entry: { command: 'node', args: ['notes.js'], env: { KEY: 'secret' } },
      commands: expect.arrayContaining(['profile', 'load-test', 'capacity']),
      operations: ['look_up'],
      takesArguments: false,
      secondsMax: 600,
      rpsMax: 100,
      concurrentMax: 10,
    },
    {
      name: 'shop',
      entry: { url: 'http://localhost:3000/mcp', transport: 'streamable_http', headers: {} },
      commands: ['profile'],
      settings: { POOL: ['4'] },
    },
  ])
  expect(mcpServers[0]?.commands).not.toContain('auto-tune')
})

test.each([
  [{}, 'mcp.a: give command or url'],
  [{ url: 'http://x/', command: ['y'] }, 'mcp.a: give command or url'],
  [{ url: 'http://x/', env: { A: 'b' } }, 'mcp.a: cwd and env are of a command'],
  [{ url: 'ftp://x/' }, 'mcp.a.url: '],
  [{ command: ['y'], commands: ['production'] }, 'mcp.a.commands: production cannot be measured for others'],
  [{ command: ['y'], shell: true }, 'mcp.a: '],
])('parseAllowList() refuses the MCP server %j', (server, text) => {
  expect(() => parseAllowList(JSON.stringify({ mcp: { a: server } }), 'collect.json')).toThrow(text)
})

test.each([
  [{ a: { kind: 'pprof' } }, 'allow.a: pprof needs url, and nothing else'],
  [{ a: { kind: 'pprof', url: 'x:1', pid: 4 } }, 'allow.a: pprof needs url, and nothing else'],
  [{ a: { kind: 'node', pid: 4 } }, 'allow.a: node needs command, and nothing else'],
  [{ a: { kind: 'perf', pid: 4, types: ['heap'] } }, 'allow.a.types: perf cannot take heap'],
  [{ a: { kind: 'perf', pid: 4, seconds_max: 3601 } }, 'allow.a.seconds_max: '],
  [{ a: { kind: 'perf', pid: 4, shell: 'rm' } }, 'allow.a: '],
  [{ 'a b': { kind: 'perf', pid: 4 } }, 'allow'],
  [{}, 'allow: name one capture at least'],
])('parseAllowList() refuses %j', (allow, text) => {
  expect(() => parse(allow)).toThrow(text)
})

test('parseAllowList() reads a file that Notepad wrote', () => {
  const { captures } = parseAllowList('\uFEFF{"allow":{"a":{"kind":"perf","pid":4}}}', 'collect.json')
  expect(captures).toMatchObject([{ name: 'a', target: { pid: 4 } }])
})

test('parseAllowList() refuses what is no JSON', () => {
  expect(() => parseAllowList('allow: all', 'collect.json')).toThrow(/^collect\.json: /)
})

test('readAllowList() trusts no file that others may write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-allow-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'collect.json')
  await writeFile(path, '{"allow":{"a":{"kind":"perf","pid":4}}}')
  await chmod(path, 0o664)
  await expect(readAllowList(folder, 'collect.json')).rejects.toThrow('chmod go-w collect.json')
  await chmod(path, 0o644)
  const { name } = await readAllowList(folder, 'collect.json')
  // That of the machine.
  expect(name).toMatch(/^[\w.-]+$/)
  await expect(readAllowList(folder, 'other.json')).rejects.toThrow('There is no such file.')
})
