import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { importsOf, violations } from './floor-plan.ts'
import type { Package, Room } from './floor-plan.ts'

const pure: Room = { rooms: [], packages: [], builtins: ['buffer', 'zlib'] }
const adapter: Room = { rooms: ['contract', 'operations/ports'], packages: 'any', builtins: 'any' }
const below = [
  'contract',
  'profiles',
  'benchmarks',
  'loadtest',
  'series',
  'live',
  'reports',
  'mcp-profiling',
  'loadtest-engine',
  'monitors',
  'operations',
  'doctor',
  'surfaces',
  'auth',
  'db',
  'queue',
  'runtime',
  'storage',
  'embedded-postgres',
]
const app: Room = { rooms: below, packages: 'any', builtins: 'any' }

/** Arrows point down. Apps never import apps, except that `platform` is made of three of them. */
const plan: Record<string, Room> = {
  // 5 apps
  gateway: app,
  api: app,
  worker: app,
  // The client, because it fills the demo workspace through the front door, as anybody would.
  platform: { ...app, rooms: [...below, 'gateway', 'api', 'worker', 'client'] },
  // Of load tests so much that a scenario is judged while it is written by what judges it later, and what reports can show.
  web: {
    rooms: ['client', 'connect', 'contract', 'loadtest/report', 'loadtest/scenario'],
    packages: 'any',
    builtins: [],
  },
  // The site of docs/: nothing of the product is in it.
  docs: { rooms: [], packages: ['vitepress', 'vite'], builtins: 'any' },
  cli: {
    rooms: [
      'client',
      'contract',
      'runtime',
      'profiles',
      'benchmarks',
      'loadtest',
      'loadtest-engine',
      'monitors',
      'series',
      'live',
      'mcp-profiling',
      'profiler',
      'doctor',
    ],
    packages: 'any',
    builtins: 'any',
  },
  // 4 edges
  surfaces: {
    rooms: ['contract', 'loadtest/schemas', 'operations/ports'],
    packages: ['fastify', 'zod'],
    builtins: 'any',
  },
  client: { rooms: ['contract'], packages: [], builtins: [] },
  // 3 adapters
  auth: adapter,
  // Seconds are sealed into chunks within a transaction, and chunks read together with what is not sealed yet.
  db: { ...adapter, rooms: [...adapter.rooms, 'series', 'live'], testRooms: ['embedded-postgres'] },
  queue: { ...adapter, testRooms: ['embedded-postgres'] },
  storage: adapter,
  runtime: { ...adapter, rooms: ['contract'] },
  'embedded-postgres': { ...adapter, rooms: [] },
  // 2 logic
  // zod for the type of its errors: what was wrong with an input is said here.
  operations: {
    rooms: [
      'contract',
      'profiles',
      'benchmarks',
      'loadtest',
      'reports',
      'series',
      'live',
      'mcp-profiling',
      'doctor',
    ],
    packages: ['zod'],
    builtins: ['crypto'],
  },
  // It speaks HTTP only through a function that it is given.
  doctor: { rooms: [], packages: [], builtins: ['crypto'] },
  // What a virtual user does, done: its own ways to the network, and none to the database.
  'loadtest-engine': { rooms: ['loadtest', 'series'], packages: 'any', builtins: 'any' },
  // What is collected of systems under test: it connects to them, for an agent.
  monitors: {
    rooms: ['loadtest', 'live'],
    testRooms: ['embedded-postgres'],
    packages: 'any',
    builtins: 'any',
  },
  // What a program measures itself with, and pushes. It runs in programs of others: no package, and of ours how to push, and the rules
  // about what was measured.
  profiler: { rooms: ['live', 'series', 'mcp-profiling/judgement'], packages: [], builtins: 'any' },
  // 1 pure
  // Its demangler is WebAssembly, of which the module is loaded as code is: from a file of the package that it comes in.
  profiles: {
    ...pure,
    packages: ['gecko-profiler-demangle'],
    builtins: ['buffer', 'fs', 'module', 'zlib'],
  },
  // Results come in archives and as msgpack; both are decoded from bytes to values.
  benchmarks: { ...pure, packages: ['@msgpack/msgpack', 'nanotar'] },
  series: pure,
  // How MCP clients are told about an installation, for pages and docs alike.
  connect: { rooms: [], packages: [], builtins: [] },
  // What running programs tell, as it is pushed and asked for.
  live: { ...pure, packages: ['zod'] },
  // What was measured of an MCP server, and what it means. Who measures is in the CLI.
  'mcp-profiling': { ...pure, rooms: ['benchmarks', 'series'], packages: ['zod'] },
  // What numbers of load tests mean: statistics of the one room on histograms of the other.
  reports: { ...pure, rooms: ['benchmarks', 'series'] },
  // Its parsers read what others wrote: JSON, XML, YAML, ZIP, JavaScript and Python. None of them runs it.
  loadtest: {
    ...pure,
    packages: [
      '@babel/parser',
      '@lezer/python',
      'cron-parser',
      'fast-xml-parser',
      'fflate',
      'json-p3',
      'rfc6902',
      'yaml',
      'yauzl',
      'zod',
    ],
  },
  // 0 words
  contract: { rooms: [], packages: ['zod'], builtins: [] },
}

const root = resolve(import.meta.dirname, '../..')
const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

test('nobody imports what the floor plan does not allow', () => {
  const packages = ['apps', 'packages'].flatMap((floor) =>
    readdirSync(join(root, floor))
      .map((name) => `${floor}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map(readPackage),
  )
  expect(packages.length).toBeGreaterThan(15)
  expect(packages.flatMap((each) => each.files.flatMap((file) => file.imports)).length).toBeGreaterThan(500)
  expect(violations(plan, packages)).toEqual([])
})

test('docs/architecture.md shows every room on a floor, and no other', () => {
  const floors = readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(
    /^\| \d \w+ +\|([^|]+)\|/gm,
  )
  const shown = Array.from(floors, ([, rooms = '']) =>
    Array.from(rooms.matchAll(/`([\w-]+)`/g), ([, room]) => room),
  )
  expect(new Set(shown.flat())).toEqual(new Set(Object.keys(plan)))
})

function readPackage(folder: string): Package {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
  const files = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/src/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'))
  return {
    folder,
    dependencies: roomsIn(manifest.dependencies),
    devDependencies: roomsIn(manifest.devDependencies),
    files: files.map((path) => ({ path, imports: importsOf(readFileSync(join(root, path), 'utf8')) })),
  }
}

function roomsIn(dependencies: Record<string, string>): string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@flamegate/'))
    .map((name) => name.slice('@flamegate/'.length))
}

/** A package with one file. */
function made(folder: string, path: string, imports: string[], dependencies: string[] = []): Package {
  return {
    folder,
    dependencies,
    devDependencies: [],
    files: [{ path: `${folder}/src/${path}`, imports }],
  }
}

describe('the checker', () => {
  test.each([
    ['a pure room that reads files', 'packages/benchmarks', 'read.ts', 'node:fs'],
    ['a pure room with a package', 'packages/profiles', 'read.ts', 'zod'],
    ['a room that looks up', 'packages/contract', 'run.ts', '@flamegate/operations'],
    ['logic that knows an adapter', 'packages/operations', 'runs.ts', '@flamegate/db'],
    ['logic that opens sockets', 'packages/operations', 'runs.ts', 'node:net'],
    ['an adapter that calls handlers', 'packages/db', 'stores.ts', '@flamegate/operations'],
    ['an adapter that knows another', 'packages/queue', 'open.ts', '@flamegate/db'],
    ['a server with the client', 'apps/api', 'app.ts', '@flamegate/client'],
    ['an app that imports an app', 'apps/gateway', 'app.ts', '@flamegate/api'],
    ['pages with server code', 'apps/web', 'main.tsx', '@flamegate/runtime'],
    ['the contract with a built-in', 'packages/contract', 'id.ts', 'node:crypto'],
    ['a way around through the file system', 'packages/queue', 'open.ts', '../../db/src/index.ts'],
    ['a way around out of a deep folder', 'packages/db', 'stores/run.ts', '../../../contract/src/index.ts'],
    ['a test that needs a room that is not its own', 'packages/queue', 'open.test.ts', '@flamegate/db'],
  ])('finds %s', (_what, folder, path, specifier) => {
    expect(violations(plan, [made(folder, path, [specifier])])).toEqual([
      `${folder}/src/${path} must not import ${specifier}`,
    ])
  })

  test.each([
    ['a pure room that unpacks', 'packages/profiles', 'read.ts', 'node:zlib'],
    ['a test of a pure room that reads files', 'packages/profiles', 'read.test.ts', 'node:fs'],
    ['an adapter that knows the ports', 'packages/db', 'stores.ts', '@flamegate/operations/ports'],
    ['the platform with an app', 'apps/platform', 'platform.ts', '@flamegate/api'],
    ['a neighbour in the same room', 'packages/db', 'stores/run.ts', '../sql.ts'],
    [
      'a test helper with a server of its own',
      'packages/queue',
      'test-servers.ts',
      '@flamegate/embedded-postgres',
    ],
  ])('allows %s', (_what, folder, path, specifier) => {
    expect(violations(plan, [made(folder, path, [specifier])])).toEqual([])
  })

  test('finds what a package.json should not declare, unknown rooms and circles', () => {
    expect(violations(plan, [made('packages/contract', 'a.ts', [], ['db'])])).toContain(
      'packages/contract/package.json must not depend on db',
    )
    expect(violations(plan, [made('packages/attic', 'a.ts', [])])).toEqual([
      'packages/attic is not in the floor plan',
    ])
    expect(
      violations({ a: { ...app, rooms: ['b'] }, b: { ...app, rooms: ['a'] } }, [
        made('packages/a', 'a.ts', [], ['b']),
        made('packages/b', 'b.ts', [], ['a']),
      ]),
    ).toEqual(['circle: a -> b -> a'])
  })

  test('importsOf() sees every form of import, and no code in strings or comments', () => {
    const source = [
      `import one from 'one'`,
      `import { a,`,
      `  b } from "two"`,
      `import type { C } from './three.ts'`,
      `import 'four'`,
      `export * from './five.ts'`,
      `export { d } from 'six'`,
      `const later = await import('seven')`,
      `export const from = 'not this'`,
      `// import x from 'nor this'`,
      `const script = \``,
      `  import y from 'nor that'\``,
    ].join('\n')
    expect(importsOf(source)).toEqual(['one', 'two', './three.ts', 'four', './five.ts', 'six', 'seven'])
  })
})
