import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTarget, type AskedTarget } from './find-target.ts'
import type { McpTarget } from './mcp-target.ts'

/** Finds a server among files below a home and a project. */
async function find(
  mcp: string | undefined,
  files: Readonly<Record<string, unknown>> = {},
  asked: Partial<AskedTarget> = {},
): Promise<McpTarget> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-targets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const cwd = path.join(folder, 'project')
  await mkdir(cwd)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(file, text.replaceAll('CWD', cwd))
  }
  const terminal = { env: { HOME: path.join(folder, 'home'), KEY: 'secret' }, cwd }
  return findTarget({ mcp, words: [], headers: [], env: [], isSse: false, ...asked }, terminal)
}

const shop = { command: 'node', args: ['shop.js'], env: { A: '1' } }

test.each([
  ['.mcp.json', 'project/.mcp.json', { mcpServers: { shop } }],
  ['~/.claude.json', 'home/.claude.json', { mcpServers: { shop } }],
  ['~/.claude.json', 'home/.claude.json', { projects: { CWD: { mcpServers: { shop } } } }],
  [
    '~/.codex/config.toml',
    'home/.codex/config.toml',
    'model = "x"\n[mcp_servers.shop]\ncommand = "node"\nargs = ["shop.js"]\nenv = { A = "1" }\n',
  ],
  // As editors on Windows begin a file.
  ['.mcp.json', 'project/.mcp.json', `\uFEFF${JSON.stringify({ mcpServers: { shop } })}`],
  [
    'mcp-profiler.config.json',
    'project/mcp-profiler.config.json',
    `\uFEFF// ours\n${JSON.stringify({ mcpServers: { shop } })}`,
  ],
  [
    '.vscode/mcp.json',
    'project/.vscode/mcp.json',
    '{ // ours\n "servers": { "shop": { "type": "stdio", "command": "node", "args": ["shop.js"], "env": {"A": "1"}, }, } }',
  ],
  ['.cursor/mcp.json', 'project/.cursor/mcp.json', { mcpServers: { shop } }],
  ['~/.cursor/mcp.json', 'home/.cursor/mcp.json', { mcpServers: { shop } }],
])('a name is found in %s', async (from, file, content) => {
  expect(await find('shop', { [file]: content })).toMatchObject({
    kind: 'stdio',
    name: 'shop',
    from,
    command: ['node', 'shop.js'],
    env: { A: '1' },
  })
})

test('the file of the project is looked into before that of the person', async () => {
  const target = await find('shop', {
    'project/.mcp.json': { mcpServers: { shop: { url: 'http://localhost:1/mcp', type: 'sse' } } },
    'home/.claude.json': { mcpServers: { shop } },
  })
  expect(target).toMatchObject({ kind: 'http', from: '.mcp.json', transport: 'sse' })
})

test('what files leave open is put in from the environment', async () => {
  const header = { Authorization: 'Bearer ${KEY}', 'X-Env': '${env:KEY}', 'X-Else': '${NONE:-otherwise}' }
  expect(
    await find('shop', {
      'project/.mcp.json': { mcpServers: { shop: { url: 'http://localhost/', headers: header } } },
    }),
  ).toMatchObject({
    headers: { Authorization: 'Bearer secret', 'X-Env': 'secret', 'X-Else': 'otherwise' },
  })
  const asks = {
    'project/.vscode/mcp.json': {
      servers: { shop: { url: 'http://localhost/', headers: { A: '${input:key}' } } },
    },
  }
  await expect(find('shop', asks)).rejects.toThrow('${input:key} is known to the client only')
})

test('commands, URLs, headers and variables of the command line', async () => {
  expect(
    await find(undefined, {}, { words: ['npx', '-y', '@scope/server-things@1.2.3', '/tmp'], env: ['A=b=c'] }),
  ).toMatchObject({
    kind: 'stdio',
    name: 'server-things',
    from: 'the command line',
    command: ['npx', '-y', '@scope/server-things@1.2.3', '/tmp'],
    env: { A: 'b=c' },
  })
  expect(await find('http://127.0.0.1:3000/mcp', {}, { headers: ['X-Key: a:b'] })).toMatchObject({
    kind: 'http',
    name: '127.0.0.1-3000',
    transport: 'streamable_http',
    headers: { 'X-Key': 'a:b' },
  })
  expect(await find('mine', {}, { words: ['./server'] })).toMatchObject({
    name: 'mine',
    command: ['./server'],
  })
})

test('what cannot be found or read is told, with what there is', async () => {
  await expect(find('nobody', { 'project/.mcp.json': { mcpServers: { shop } } })).rejects.toThrow(
    /There is no server nobody in .*\.mcp\.json.*There are: shop\./,
  )
  await expect(find(undefined)).rejects.toThrow(/Say which server/)
  await expect(find('shop', { 'project/.mcp.json': '{ no' })).rejects.toThrow(
    /\.mcp\.json is not what it should be/,
  )
  await expect(find('shop', { 'home/.codex/config.toml': 'a = = 1' })).rejects.toThrow(/config\.toml is not/)
  await expect(find('shop', { 'project/.mcp.json': { mcpServers: { shop: {} } } })).rejects.toThrow(
    /shop in \.mcp\.json has neither a command nor a url/,
  )
  await expect(find('http://localhost', {}, { headers: ['nonsense'] })).rejects.toThrow(/Name: value/)
})
