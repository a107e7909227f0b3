import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { catalogue, toolsetNames } from '@flamegate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { helpOption, readCommandLine } from '../../apps/cli/src/arguments/command-line.ts'
import { commands } from '../../apps/cli/src/commands/commands.ts'
import { bridgeKinds } from '../../apps/cli/src/bridge/kinds.ts'
import { mcpCommands } from '../../apps/cli/src/mcp/commands/commands.ts'
import { startTestGateway, type TestGateway } from '../../apps/gateway/src/test-gateway.ts'
import { publicTexts } from '../../packages/surfaces/src/index.ts'
import { codeBlocks, codeSpans, commandLines, type CommandMention } from '../guides/named-things.ts'

/**
 * What pages of documentation name is there: tools and fields, commands and their options, settings, addresses. Left out are the
 * reference, which is generated from the code, and decisions, which tell of what was given up too. That links lead somewhere and files exist is in docs.test.ts.
 */

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].filter(
  (path) => !/^docs\/(?:reference|decisions)\//.test(path),
)

/** The product without its tests, what measures it, and the tables of the database. */
const sources = globSync(
  [
    '{apps,packages}/*/src/**/*.{ts,tsx,cjs,mjs}',
    'scripts/**/*.{ts,mjs}',
    '{bench,tests/long}/**/*.ts',
    'deploy/**/*.*',
    'prisma/migrations/**/*.sql',
    'prisma/schema.prisma',
  ],
  { cwd: root },
).filter((path) => !/\.test\.tsx?$|\/testing\/|\/generated\//.test(path))
const sourceText = sources.map(read).join('\n')
const words = new Set(sourceText.match(/[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*/g))

/** Words with an underscore that others made: programs, libraries, systems. */
const foreignWords = new Set([
  'least_conn',
  'perf_to_profile',
  'pg_basebackup',
  'pg_dump',
  'pg_stat_bgwriter',
  'pg_stat_checkpointer',
  'pg_wal',
  'proxy_pass',
  'proxy_read_timeout',
  'round_robin',
])
/** Options of other programs: of Bencher, Node.js, k6, OpenTelemetry's collector, MCP clients, and of programs of ours that Node.js starts. */
const foreignOptions = new Set([
  'allow-empty',
  'anchors',
  'clients',
  'csv',
  'csv-full-history',
  'execution-segment',
  'feature-gates',
  'force',
  'from',
  'max-semi-space-size',
  'minutes',
  'oauth-client-registration',
  'only',
  'out',
  'perf-basic-prof',
  'protocol-era',
  'seed',
  'stage',
  'start-point-clone-thresholds',
  'strict',
  'vus',
  'write',
])
/** Addresses of systems of others, in examples. */
const foreignPaths = new Set(['/orders/{id}', '/proc'])

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway('https://flamegate.example')
})
afterAll(async () => {
  await gateway.close()
})

describe.each(pages)('%s', (page) => {
  const text = read(page)
  const spans = codeSpans(text)
  const blocks = codeBlocks(text)

  test('names only tools, fields and words that exist', () => {
    const said = spans.filter((span) => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(span.text))
    expect(said.filter((span) => !words.has(span.text) && !foreignWords.has(span.text))).toEqual([])
  })

  test('names only commands and options that exist', async () => {
    const wrong: string[] = []
    for (const mention of commandLines(text)) wrong.push(...(await faultsOfCommand(mention)))
    expect(wrong).toEqual([])
    const options = await allOptions()
    const said = spans.filter((span) => /^--[a-z][a-z-]*(?:[ =]|$)/.test(span.text))
    const names = said.map((span) => /^--([a-z-]+)/.exec(span.text)?.[1] ?? '')
    expect(names.filter((name) => !isOptionOf(options, name) && !foreignOptions.has(name))).toEqual([])
  })

  test('names only settings that exist', () => {
    const said = text.match(/\b(?:FLAMEGATE|S3|SMTP|MCP_PERFORMANCE)_[A-Z][A-Z_]*[A-Z]\b/g) ?? []
    expect(said.filter((name) => !words.has(name))).toEqual([])
  })

  test('names only addresses that are answered', async () => {
    const said = [...spans, ...blocks.map(({ body, line }) => ({ text: body, line }))]
    const ours = said.flatMap((each) => [
      ...each.text.matchAll(
        /(?:^(?:(GET|POST|PUT|PATCH|DELETE) )?|FLAMEGATE_URL|https:\/\/flamegate\.example|http:\/\/127\.0\.0\.1:4170)(\/[^\s"'`?#\\|<>,;)[]*)/gm,
      ),
    ])
    const wrong = ours.filter(([, method, path = '']) => !isAnswered(method, path))
    const answers = await Promise.all(
      wrong.map(async ([found, , path = '']) => ((await isHandedOut(path)) ? [] : [found])),
    )
    expect(answers.flat()).toEqual([])
  })

  test('has calls only where a test makes them, in tutorials', () => {
    const calls = blocks.filter(({ language, body }) => language === 'json' && /^\s*\{\s*"tool"/.test(body))
    expect(page.startsWith('docs/tutorials/') ? [] : calls).toEqual([])
  })
})

/** What is wrong with a command line of ours: no such command, an option that it has not, or one without its value. */
async function faultsOfCommand({ text: line, isWhole }: CommandMention): Promise<string[]> {
  const [program, name = '', ...own] = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, word]) => single ?? double ?? word ?? '',
  )
  // `flamegate --help`, `flamegate <command>`, and `flamegate call <operation>`, whose options are the operation's.
  if (/^[-<…]/.test(name) || (name === 'call' && /^(?:[<…].*)?$/.test(own[0] ?? ''))) return []
  const listed = (program === 'flamegate' ? commands : mcpCommands).find((each) => each.name === name)
  if (listed === undefined) return [`${line}: there is no such command`]
  const { name: whole, options, positionals } = await listed.load(own[0])
  // The option that a text mentions last may stand there without its value.
  if (!isWhole && options.some(({ name: option }) => `--${option}` === own.at(-1))) own.pop()
  try {
    readCommandLine(whole.includes(' ') ? own.slice(1) : own, [...options, helpOption], positionals)
    return []
  } catch (error) {
    return [`${line}: ${String(error)}`]
  }
}

function isOptionOf(names: ReadonlySet<string>, option: string): boolean {
  return option === 'help' || names.has(option) || names.has(option.replace(/^no-/, ''))
}

/** Options of all commands; `call` has those of operations. */
async function allOptions(): Promise<Set<string>> {
  const loaded = await Promise.all([
    ...commands
      .filter(({ name }) => name !== 'call' && name !== 'bridge')
      .map((each) => each.load(undefined)),
    ...bridgeKinds.map(({ name }) => commands.find((each) => each.name === 'bridge')?.load(name)),
    ...mcpCommands.map((each) => each.load(undefined)),
  ])
  return new Set(loaded.flatMap((each) => each?.options ?? []).map((option) => option.name))
}

const routes = catalogue.map(({ http }) => ({ method: http.method, parts: partsOf(http.path) }))
/** Pages of the web UI, guides and schemas, and what servers answer besides: texts of their source that are paths. */
const others = [
  ...publicTexts('https://flamegate.example').flatMap(({ paths }) =>
    paths.map((path) => `/mcp/public${path}`),
  ),
  ...sources.flatMap((path) => pathsIn(read(path))),
].map(partsOf)

/** Whether it is an address of ours, or the beginning of some. */
function isAnswered(method: string | undefined, path: string): boolean {
  const plain = path.replace(/[.:…*/]+$/, '')
  if (plain === '' || foreignPaths.has(plain) || isMcpAddress(plain) || isPage(plain)) return true
  const parts = partsOf(plain)
  return (
    routes.some((route) => (method ?? route.method) === route.method && isBeginning(parts, route.parts)) ||
    others.some((other) => isBeginning(parts, other))
  )
}

/** Texts that are paths, also those that begin with a constant that is one; not those of callers, who put anything into them. */
function pathsIn(source: string): string[] {
  const constants = new Map(
    [...source.matchAll(/const (\w+) = '(\/[^']+)'/g)].map(([, name = '', path = '']) => [name, path]),
  )
  return [...source.matchAll(/['"`]((?:\$\{\w+\})?\/[a-z.][^'"`\s]*)['"`]/g)]
    .map(([, path = '']) =>
      path.replace(/^\$\{(\w+)\}/, (blank, name: string) => constants.get(name) ?? blank),
    )
    .filter((path) => !/^\/(?:v1|mcp)\/.*\$\{/.test(path))
}

/** Files for anybody, which are made when the gateway starts. */
async function isHandedOut(path: string): Promise<boolean> {
  if (!/^\/(?:mcp\/public|\.well-known)\//.test(path)) return false
  return (await gateway.app.inject({ url: path })).statusCode === 200
}

function partsOf(path: string): string[] {
  return path.split('/').slice(1)
}

/** A parameter is any one part of a path: `{run_id}`, `:run_id`, `$runId`, or what source puts in there. */
function isBeginning(parts: readonly string[], of: readonly string[]): boolean {
  return (
    parts.length <= of.length &&
    parts.every((part, index) => part === of[index] || /^(?:\{|:|\$)/.test(of[index] ?? ''))
  )
}

function isMcpAddress(path: string): boolean {
  const address = /^\/mcp(?:\/w\/[^/]+(?:\/[^/]+)?)?(?:\/x\/([^/]+)|\/compact)?(?:\/readonly)?$/.exec(path)
  if (address === null) return false
  const known = new Set<string>([...toolsetNames, 'all', 'octoperf_names'])
  return (address[1] ?? 'all').split('+').every((name) => known.has(name) || name.startsWith('<'))
}

function isPage(path: string): boolean {
  return path.startsWith('/docs') && [path, `${path}.md`].some((each) => existsSync(join(root, each)))
}
