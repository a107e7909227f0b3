import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findOperation } from '@flamegate/contract'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { prompts, publicTexts, skillsOf } from '../../packages/surfaces/src/index.ts'
import { agentPages, staleAgentPages } from '../../scripts/agents/files.ts'

// What is in deploy/agents is what would be generated, and each file has the form that its client documents: strict here,
// because clients pass over what they do not know in silence. Real clients take it in tests/long/agent-plugins.ts.

const root = resolve(import.meta.dirname, '../..')
const site = 'https://flamegate.example'
const folder = 'deploy/agents/'
const pages = new Map(agentPages().map(({ path, content }) => [path.slice(folder.length), content]))
const skillNames = skillsOf(publicTexts(site)).map(({ name }) => name)

const within = (pattern: RegExp) => [...pages].filter(([path]) => pattern.test(path))
const json = (path: string): unknown => JSON.parse(pages.get(path) ?? '')

test.each([...pages])('%s is what pnpm generate writes', (path, content) => {
  expect(readFileSync(join(root, folder, path), 'utf8') === content, 'it is stale: run pnpm generate').toBe(
    true,
  )
})

test('there is nothing that is not generated any more', () => {
  expect(staleAgentPages(root)).toEqual([])
})

/** Lower case, dashes between: what all clients take for a name. */
const name = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
const sentence = z.string().min(20).max(200)
const author = z.strictObject({ name: z.string(), url: z.literal(site) })
const relativeFolder = z.string().startsWith('./')
const semver = z.string().regex(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/)
const remote = (path: string) => z.literal(`${site}${path}`)

describe.each([
  [
    'Claude Code marketplace',
    '.claude-plugin/marketplace.json',
    // https://code.claude.com/docs/en/plugins/marketplace-reference
    z.strictObject({
      name,
      description: sentence,
      owner: author,
      plugins: z.tuple([
        z.strictObject({
          name,
          description: sentence,
          homepage: z.url(),
          source: z.literal('./plugins/flamegate'),
        }),
      ]),
    }),
  ],
  [
    'Claude Code plugin',
    'plugins/flamegate/.claude-plugin/plugin.json',
    // https://code.claude.com/docs/en/plugins-reference
    z.strictObject({
      name,
      version: semver,
      description: sentence,
      author,
      homepage: z.url(),
      license: z.string(),
      keywords: z.array(name),
    }),
  ],
  [
    'MCP server of Claude Code and Codex',
    'plugins/flamegate/.mcp.json',
    // https://code.claude.com/docs/en/mcp
    z.strictObject({
      mcpServers: z.strictObject({
        flamegate: z.strictObject({ type: z.literal('http'), url: remote('/mcp') }),
      }),
    }),
  ],
  [
    'Codex marketplace',
    '.agents/plugins/marketplace.json',
    // https://developers.openai.com/codex/plugins/build
    z.strictObject({
      name,
      interface: z.strictObject({ displayName: z.string() }),
      plugins: z.tuple([
        z.strictObject({
          name,
          source: z.strictObject({ source: z.literal('local'), path: z.literal('./plugins/flamegate') }),
          policy: z.strictObject({
            installation: z.enum(['AVAILABLE', 'INSTALLED_BY_DEFAULT', 'NOT_AVAILABLE']),
            authentication: z.enum(['ON_INSTALL', 'ON_USE']),
          }),
          category: z.string(),
        }),
      ]),
    }),
  ],
  [
    'Codex plugin',
    'plugins/flamegate/.codex-plugin/plugin.json',
    // https://developers.openai.com/plugins/build/plugins; the limits of prompts are those of its source.
    z.strictObject({
      name,
      version: semver,
      description: sentence,
      author,
      homepage: z.url(),
      license: z.string(),
      skills: relativeFolder,
      mcpServers: relativeFolder,
      interface: z.strictObject({
        displayName: z.string(),
        shortDescription: z.string().max(64),
        longDescription: z.string(),
        developerName: z.string(),
        category: z.string(),
        capabilities: z.array(z.enum(['Interactive', 'Read', 'Write'])),
        websiteURL: z.url(),
        defaultPrompt: z.array(z.string().min(1).max(128)).max(3),
      }),
    }),
  ],
  [
    'Gemini CLI extension',
    'plugins/flamegate/gemini-extension.json',
    // https://geminicli.com/docs/extensions/reference
    z.strictObject({
      name: z.literal('flamegate'),
      version: semver,
      description: sentence,
      mcpServers: z.strictObject({ flamegate: z.strictObject({ httpUrl: remote('/mcp') }) }),
      contextFileName: z.literal('GEMINI.md'),
    }),
  ],
  [
    'Cursor server',
    'cursor/.cursor/mcp.json',
    // https://cursor.com/docs/mcp; it takes few tools.
    z.strictObject({
      mcpServers: z.strictObject({ flamegate: z.strictObject({ url: remote('/mcp/compact') }) }),
    }),
  ],
  [
    'VS Code server',
    'copilot/.vscode/mcp.json',
    // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
    z.strictObject({
      servers: z.strictObject({
        flamegate: z.strictObject({ type: z.literal('http'), url: remote('/mcp') }),
      }),
    }),
  ],
  [
    'MCP registry',
    'server.json',
    // https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json: of it, what a remote server has.
    z.strictObject({
      $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
      name: z
        .string()
        .min(3)
        .max(200)
        .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
      title: z.string().min(1).max(100),
      description: z.string().min(1).max(100),
      version: z
        .string()
        .max(255)
        .regex(/^\d+\.\d+\.\d+$/),
      websiteUrl: z.url(),
      icons: z.array(
        z.strictObject({
          src: z.url({ protocol: /^https$/ }).max(255),
          mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']),
          sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
        }),
      ),
      remotes: z.array(
        z.strictObject({ type: z.literal('streamable-http'), url: z.url({ protocol: /^https$/ }) }),
      ),
    }),
  ],
] as const)('%s', (_title, path, schema) => {
  test('has the form that is documented', () => {
    expect(schema.safeParse(json(path)).error?.issues ?? []).toEqual([])
  })
})

test('who publishes on the MCP registry does it under the name of the host', () => {
  expect(json('server.json')).toMatchObject({ name: 'example.flamegate/flamegate' })
})

/** Front matter and what comes after it. */
function markdownIn(content: string): { frontMatter: unknown; text: string } {
  const [, yaml = '', text = ''] = /^---\n(.*?)\n---\n\n(.+)$/s.exec(content) ?? []
  return { frontMatter: parseYaml(yaml), text }
}

/** What is wrong with the front matter of these files, or that there are none. */
function faultsOf(found: readonly (readonly [string, string])[], schema: z.ZodType): string[] {
  if (found.length === 0) return ['There is no such file']
  return found.flatMap(([path, content]) => {
    const { frontMatter, text } = markdownIn(content)
    const faults = (schema.safeParse(frontMatter).error?.issues ?? []).map(({ message }) => message)
    return [...faults, ...(text.trim() === '' ? ['It says nothing'] : [])].map((fault) => `${path}: ${fault}`)
  })
}

test('every guide is a skill of agentskills.io, in a folder of its name', () => {
  const found = within(/^plugins\/flamegate\/skills\//)
  // https://agentskills.io/specification
  expect(
    faultsOf(found, z.strictObject({ name: name.max(64), description: z.string().min(1).max(1024) })),
  ).toEqual([])
  for (const [path, content] of found) {
    expect(path.split('/').slice(3)).toEqual([
      z.object({ name: z.string() }).parse(markdownIn(content).frontMatter).name,
      'SKILL.md',
    ])
  }
  expect(found).toHaveLength(skillNames.length)
})

const hint = z.string().regex(/^(?:\[\w+\](?: \[\w+\])*)?$/)

test('every prompt is a command of Claude Code, which fills in what was typed', () => {
  const found = within(/^plugins\/flamegate\/commands\/.+\.md$/)
  // https://code.claude.com/docs/en/skills
  expect(faultsOf(found, z.strictObject({ description: sentence, 'argument-hint': hint }))).toEqual([])
  for (const prompt of prompts) {
    const content = pages.get(`plugins/flamegate/commands/${prompt.name}.md`)
    expect(content?.split('$ARGUMENTS')).toHaveLength(prompt.arguments.length === 0 ? 1 : 2)
    for (const { name: argument } of prompt.arguments) expect(content).toContain(`- <${argument}>: `)
  }
  // Commands and skills are called in the same way.
  expect(prompts.filter((prompt) => skillNames.includes(prompt.name))).toEqual([])
})

test('and one of Gemini CLI, which runs no shell and reads no file of the person', () => {
  const found = within(/^plugins\/flamegate\/commands\/flamegate\/.+\.toml$/)
  expect(found).toHaveLength(prompts.length)
  for (const [path, content] of found) {
    // https://geminicli.com/docs/cli/custom-commands
    const command = z.strictObject({ description: sentence, prompt: z.string() }).parse(parseToml(content))
    const of = prompts.find((prompt) => path.endsWith(`/${prompt.name}.toml`))
    expect(command.prompt.split('{{args}}')).toHaveLength(of?.arguments.length === 0 ? 1 : 2)
    expect(command.prompt).not.toMatch(/[!@]\{/)
  }
})

test('rules of Cursor say when they are read', () => {
  // https://cursor.com/docs/rules: by what the agent reads of it, or by files.
  const rule = z.union([
    z.strictObject({ description: sentence, alwaysApply: z.literal(false) }),
    z.strictObject({ globs: z.string().regex(/^[^\s[\]]+$/), alwaysApply: z.literal(false) }),
  ])
  expect(faultsOf(within(/\.mdc$/), rule)).toEqual([])
})

test('instructions and prompts of Copilot have the form of VS Code', () => {
  expect(pages.get('copilot/.github/copilot-instructions.md')).toMatch(/^# Flamegate\n/)
  // https://code.visualstudio.com/docs/agent-customization/custom-instructions
  expect(
    faultsOf(
      within(/\.instructions\.md$/),
      z.strictObject({ description: sentence, applyTo: z.string().regex(/^[^\s[\]]+$/) }),
    ),
  ).toEqual([])
  // https://code.visualstudio.com/docs/agent-customization/prompt-files
  expect(
    faultsOf(
      within(/\.prompt\.md$/),
      z.strictObject({ agent: z.literal('agent'), description: sentence, 'argument-hint': hint }),
    ),
  ).toEqual([])
  for (const prompt of prompts) {
    const content = pages.get(`copilot/.github/prompts/flamegate-${prompt.name}.prompt.md`)
    const asked = [...(content ?? '').matchAll(/\$\{input:(\w+):[^:{}]+\}/g)].map((match) => match[1])
    expect(new Set(asked)).toEqual(new Set(prompt.arguments.map((argument) => argument.name)))
    expect(content).not.toContain('undefined')
  }
})

test('what every session reads is short, and names every guide', () => {
  for (const path of ['plugins/flamegate/GEMINI.md', 'copilot/.github/copilot-instructions.md']) {
    const content = pages.get(path) ?? ''
    expect(content.length).toBeLessThan(4000)
    for (const guide of skillNames.filter((each) => each !== 'flamegate'))
      expect(content).toContain(`\`${guide}\``)
  }
})

test('what is written for clients alone names only tools and guides that exist', () => {
  const own = [
    'README.md',
    'plugins/flamegate/README.md',
    'plugins/flamegate/GEMINI.md',
    'cursor/.cursor/rules/flamegate-benchmarks.mdc',
    'copilot/.github/instructions/flamegate-benchmarks.instructions.md',
  ]
  const said = own.flatMap((path) =>
    [...(pages.get(path) ?? '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
  )
  const tools = said.filter((span) => /^[a-z]+(?:_[a-z]+)+$/.test(span))
  expect(tools.length).toBeGreaterThan(2)
  expect(tools.filter((id) => findOperation(id)?.mcp !== true)).toEqual([])
  const named = said.filter((span) => /^[a-z]+(?:-[a-z]+)+$/.test(span))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((each) => !skillNames.includes(each))).toEqual([])
})
