import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import costs from '../../apps/web/src/tool-tokens.json' with { type: 'json' }
import {
  type Block,
  clients,
  type McpClient,
  sectionsOf,
  type Snippet,
} from '../../packages/connect/src/index.ts'

/**
 * What people are told to give to their clients is in the form that each client's maker documents. The forms are strict, so
 * that a key of another client fails; where each is documented stands beside it. What is for a shell is run by the real
 * programs in `npm run long -- connect`.
 */

const sites = [{ origin: 'https://flamegate.example' }, { origin: 'http://127.0.0.1:4170' }]

const isEndpoint = (text: string) =>
  sites.some(({ origin }) => [`${origin}/mcp`, `${origin}/mcp/compact`].includes(text))
const endpoint = z.string().refine(isEndpoint, 'not an address of ours')
const host = z.enum(['flamegate.example', '127.0.0.1', '127.0.0.1:4170'])
const headers = (value: RegExp) => z.strictObject({ Authorization: z.string().regex(value) }).optional()
const literalToken = headers(/^Bearer fg_…$/)
const variableToken = headers(/^Bearer \$\{env:FLAMEGATE_TOKEN\}$/)
const named = <Server extends z.ZodType>(server: Server) => z.strictObject({ flamegate: server })

/** mcp-remote, which the matrix of docs/clients.md tries: its README. */
const program = z.strictObject({
  command: z.literal('npx'),
  args: z
    .array(z.string())
    .refine(
      ([yes, name, url = '']) => yes === '-y' && name === 'mcp-remote' && isEndpoint(url),
      'not npx -y mcp-remote <address>',
    )
    // It speaks plain HTTP only when it is told to.
    .refine((args) => (args[2] ?? '').startsWith('https:') || args.includes('--allow-http')),
})

/** The forms by the file that the text goes into, or by the client where it goes into no file of that name. */
const forms: Record<string, z.ZodType> = {
  // https://code.claude.com/docs/en/mcp
  '.mcp.json': z.strictObject({
    mcpServers: named(z.strictObject({ type: z.literal('http'), url: endpoint })),
  }),
  // https://code.claude.com/docs/en/settings
  '.claude/settings.json': z.strictObject({
    sandbox: z.strictObject({ network: z.strictObject({ allowedDomains: z.tuple([host]) }) }),
  }),
  // https://support.claude.com/en/articles/11503834: remote servers there are not connected to, programs are started.
  'claude_desktop_config.json': z.strictObject({ mcpServers: named(program) }),
  // https://developers.openai.com/codex/mcp and /codex/agent-approvals-security
  '~/.codex/config.toml': z.union([
    z.strictObject({ mcp_servers: named(z.strictObject({ url: endpoint })) }),
    z.strictObject({
      sandbox_mode: z.literal('workspace-write'),
      sandbox_workspace_write: z.strictObject({ network_access: z.literal(true) }),
    }),
  ]),
  // https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md: `url` alone would be SSE.
  '~/.gemini/settings.json': z.strictObject({ mcpServers: named(z.strictObject({ httpUrl: endpoint })) }),
  // https://opencode.ai/docs/mcp-servers/
  'opencode.json': z.strictObject({
    $schema: z.literal('https://opencode.ai/config.json'),
    mcp: named(z.strictObject({ type: z.literal('remote'), url: endpoint })),
  }),
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  '.vscode/mcp.json': z
    .strictObject({
      inputs: z
        .array(
          z.strictObject({
            type: z.literal('promptString'),
            id: z.string(),
            description: z.string(),
            password: z.literal(true),
          }),
        )
        .optional(),
      servers: named(
        z.strictObject({
          type: z.literal('http'),
          url: endpoint,
          headers: headers(/^Bearer \$\{input:flamegate-token\}$/),
        }),
      ),
    })
    .refine(
      ({ inputs, servers }) => (inputs?.[0]?.id === 'flamegate-token') === Boolean(servers.flamegate.headers),
    ),
  // https://cursor.com/docs/mcp
  '.cursor/mcp.json': z.strictObject({
    mcpServers: named(z.strictObject({ url: endpoint, headers: variableToken })),
  }),
  // https://cursor.com/docs/reference/sandbox
  '.cursor/sandbox.json': z.strictObject({
    networkPolicy: z.strictObject({ default: z.enum(['allow', 'deny']), allow: z.tuple([host]) }),
  }),
  // https://docs.windsurf.com/windsurf/cascade/mcp
  '~/.codeium/windsurf/mcp_config.json': z.strictObject({
    mcpServers: named(z.strictObject({ serverUrl: endpoint, headers: variableToken })),
  }),
  // https://docs.cline.bot/mcp/connecting-to-a-remote-server; without a type it is SSE.
  'cline_mcp_settings.json': z.strictObject({
    mcpServers: named(
      z.strictObject({ type: z.literal('streamableHttp'), url: endpoint, headers: literalToken }),
    ),
  }),
  // https://docs.continue.dev/reference: a block is a file of its own with these three at its head.
  '.continue/mcpServers/flamegate.yaml': z.strictObject({
    name: z.string(),
    version: z.string(),
    schema: z.literal('v1'),
    mcpServers: z.tuple([
      z.strictObject({
        name: z.literal('flamegate'),
        type: z.literal('streamable-http'),
        url: endpoint,
        requestOptions: z
          .strictObject({ headers: headers(/^Bearer \$\{\{ secrets\.FLAMEGATE_TOKEN \}\}$/) })
          .optional(),
      }),
    ]),
  }),
  // https://zed.dev/docs/ai/mcp
  '~/.config/zed/settings.json': z.strictObject({
    context_servers: named(z.strictObject({ url: endpoint, headers: literalToken })),
  }),
  // https://goose-docs.ai/docs/guides/config-files: `uri`, not `url`.
  '~/.config/goose/config.yaml': z.strictObject({
    extensions: named(
      z.strictObject({
        type: z.literal('streamable_http'),
        name: z.literal('flamegate'),
        enabled: z.literal(true),
        uri: endpoint,
        timeout: z.int(),
        headers: literalToken,
      }),
    ),
  }),
  // https://www.jetbrains.com/help/ai-assistant/mcp.html
  jetbrains: z.strictObject({
    mcpServers: named(z.union([program, z.strictObject({ url: endpoint })])),
  }),
  // https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers and mcp_settings
  'librechat.yaml': z.union([
    z.strictObject({
      mcpServers: named(
        z.strictObject({
          type: z.literal('streamable-http'),
          url: endpoint,
          title: z.string(),
          serverInstructions: z.literal(true),
          requiresOAuth: z.boolean(),
          headers: headers(/^Bearer \{\{FLAMEGATE_TOKEN\}\}$/),
          customUserVars: z
            .strictObject({
              FLAMEGATE_TOKEN: z.strictObject({ title: z.string(), description: z.string() }),
            })
            .optional(),
        }),
      ),
    }),
    z.strictObject({
      mcpSettings: z.strictObject({
        allowedAddresses: z.tuple([z.enum(['flamegate.example:443', '127.0.0.1:4170'])]),
      }),
    }),
  ]),
  other: z.strictObject({
    mcpServers: named(
      z.union([program, z.strictObject({ type: z.literal('http'), url: endpoint, headers: literalToken })]),
    ),
  }),
}

const parsers = { json: JSON.parse, toml: parseToml, yaml: (text: string): unknown => parseYaml(text) }

const all = sites.flatMap((site) =>
  clients(site).map((client) => ({ at: `${client.name}, ${site.origin}`, client, site })),
)
const blocksOf = (client: McpClient, site: { origin: string }): Block[] => [
  ...client.add,
  ...sectionsOf(client, site).flatMap(({ blocks }) => blocks),
]
const isSnippet = (block: Block): block is Snippet => typeof block !== 'string' && 'copy' in block

const snippets = all.flatMap(({ at, client, site }) =>
  blocksOf(client, site)
    .filter(isSnippet)
    .map((snippet) => ({ ...snippet, at: `${at}: ${snippet.label}`, form: snippet.file ?? client.id })),
)

const isForShell = ({ language }: Snippet) => language === 'sh' || language === 'text'

describe.each(snippets.filter((each) => !isForShell(each)))('$at', ({ copy, language, form }) => {
  test(`is what ${form} takes`, () => {
    if (language === 'sh' || language === 'text') throw new TypeError('That is not data.')
    expect(forms[form], `There is no form of ${form} here.`).toBeDefined()
    expect(forms[form]?.safeParse(parsers[language](copy)).error?.issues ?? []).toEqual([])
  })
})

test('what is for a shell goes into no file', () => {
  expect(snippets.filter((each) => isForShell(each) && each.file !== undefined)).toEqual([])
})

/** What the page has to press for a client, and the address that it is about. */
const links = (name: string) =>
  all.flatMap(({ client, site }) =>
    client.name === name
      ? client.add.flatMap((block) =>
          typeof block !== 'string' && 'link' in block
            ? [{ link: new URL(block.link), expected: site.origin + client.path }]
            : [],
        )
      : [],
  )

describe('links open the client with the address filled in', () => {
  test('Cursor: the server’s entry in base64, https://cursor.com/docs/mcp/install-links', () => {
    const found = links('Cursor')
    expect(found).toHaveLength(sites.length)
    for (const { link, expected } of found) {
      expect(`${link.protocol}//${link.host}${link.pathname}`).toBe(
        'cursor://anysphere.cursor-deeplink/mcp/install',
      )
      expect(link.searchParams.get('name')).toBe('flamegate')
      const entry: unknown = JSON.parse(
        Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString(),
      )
      expect(entry).toEqual({ url: expected })
    }
  })

  test('VS Code: the server’s entry in JSON, without plus signs', () => {
    const found = links('VS Code')
    expect(found).toHaveLength(sites.length)
    for (const { link, expected } of found) {
      expect(link.origin + link.pathname).toBe('https://vscode.dev/redirect/mcp/install')
      expect(link.search).not.toContain('+')
      expect(link.searchParams.get('name')).toBe('flamegate')
      expect(JSON.parse(link.searchParams.get('config') ?? '')).toEqual({ type: 'http', url: expected })
    }
  })

  test('Claude: name and address, https://claude.com/docs/connectors/building/directory-vs-custom', () => {
    const found = [...links('Claude.ai'), ...links('Claude Desktop')]
    expect(found).toHaveLength(2 * sites.length)
    for (const { link, expected } of found) {
      expect(link.origin + link.pathname).toBe('https://claude.ai/customize/connectors')
      expect(Object.fromEntries(link.searchParams)).toEqual({
        modal: 'add-custom-connector',
        connectorName: 'Flamegate',
        connectorUrl: expected,
      })
    }
  })

  test('Goose: a streamable extension, https://goose-docs.ai/docs/getting-started/using-extensions', () => {
    const found = links('Goose')
    expect(found).toHaveLength(sites.length)
    for (const { link, expected } of found) {
      expect(`${link.protocol}//${link.host}`).toBe('goose://extension')
      expect(link.search).not.toContain('+')
      expect(Object.fromEntries(link.searchParams)).toEqual({
        url: expected,
        type: 'streamable_http',
        id: 'flamegate',
        name: 'Flamegate',
        description: expect.any(String),
        timeout: '300',
      })
    }
  })
})

describe.each(all)('$at', ({ client, site }) => {
  test('begins with something to press or to copy, and has a question', () => {
    expect(client.add[0]).toBeTypeOf('object')
    expect(client.ask).toMatch(/Flamegate.*[.?]$/)
  })

  test('is told how to be added, logged in, removed, and what keeps files from it', () => {
    const titles = sectionsOf(client, site).map(({ title }) => title)
    expect(titles).toEqual(
      expect.arrayContaining(['Tools', 'A guide for the agent', 'Files', 'With an API token', 'Remove it']),
    )
    const files = sectionsOf(client, site).find(({ title }) => title === 'Files')
    expect(JSON.stringify(files)).toContain(new URL(site.origin).host)
  })

  test('gets an address that lists no more tools than it takes', () => {
    const listed = costs.find(({ address }) => address === client.path)
    expect(listed).toBeDefined()
    expect(listed?.tools).toBeLessThanOrEqual(client.toolLimit ?? Infinity)
  })

  test('gets its own address everywhere', () => {
    const text = JSON.stringify(blocksOf(client, site))
    const others = sites.filter(({ origin }) => origin !== site.origin)
    for (const { origin } of others) expect(text).not.toContain(origin)
    expect(text).toContain(site.origin)
  })
})
