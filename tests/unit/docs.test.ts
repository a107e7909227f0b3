import { execFileSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { idPrefixes, problems, roles, scopeNames, toolsetNames } from '@flamegate/contract'
import { taskStatuses } from '@flamegate/contract/general/task-status'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectPages } from '../../scripts/connect/pages.ts'
import { referencePages } from '../../scripts/reference/pages.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Every file that is, or will be, in the repository: tracked, or new and not ignored. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const pages = files.filter((path) => path.endsWith('.md'))

test.each([...referencePages(), ...connectPages()].map((page) => [page.path, page.content]))(
  '%s is what pnpm generate writes',
  (path, content) => {
    expect(read(path) === content, `${path} is stale: run pnpm generate`).toBe(true)
  },
)

test('every problem has its row in docs/reference/problems.md', () => {
  const page = read('docs/reference/problems.md')
  expect(Object.keys(problems).filter((code) => !page.includes(`<a id="${code}"></a>`))).toEqual([])
})

test.each(pages)('%s links only to what is there', (page) => {
  expect(linksOf(read(page)).filter((link) => !resolves(page, link))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md'])('%s names only commands that exist', (page) => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')))
  const commands = [...read(page).matchAll(/\b(?:npm run|npm|pnpm) ([a-z][a-z-]*)/g)].map(
    (match) => match[1] ?? '',
  )
  expect(commands.filter((name) => !(name in scripts))).toEqual([])
})

test.each(pages.filter((page) => !page.includes('/samples/')))('%s names only files that exist', (page) => {
  const paths = [
    ...read(page).matchAll(/`((?:apps|packages|docs|scripts|tests|bench|demo|prisma|deploy)\/[^\s`*<]*)`/g),
  ].map((match) => match[1] ?? '')
  expect(paths.filter((path) => !existsSync(join(root, path)) && !isToBeMade(path))).toEqual([])
})

test('docs/architecture.md names only files that exist, in short as well', () => {
  const names = [
    ...read('docs/architecture.md').matchAll(/`([\w*./-]+\.(?:ts|tsx|mjs|sql)|prisma\/[\w*./-]+)`/g),
  ].map((match) => match[1] ?? '')
  expect(names.length).toBeGreaterThan(150)
  expect(
    names.filter(
      (name) =>
        globSync(name, { cwd: root }).length === 0 && !files.some((path) => path.endsWith(`/${name}`)),
    ),
  ).toEqual([])
})

test('docs/glossary.md has each word once, in their order, and names ids and states as they are', () => {
  const page = read('docs/glossary.md')
  const entries = new Map(
    [...page.matchAll(/^\*\*([^*]+)\*\* — ([^]*?)(?=\n\n|\n$)/gm)].map(([, word = '', text = '']) => [
      word,
      text,
    ]),
  )
  const words = [...page.matchAll(/\n\n\*\*([^*]+)\*\*/g)].map(([, word = '']) => word)
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))

  const prefixes = [...page.matchAll(/`([a-z]{2,3})_…`/g)].map(([, prefix = '']) => prefix)
  const known = new Set<string>([...Object.values(idPrefixes), 'fg'])
  expect(prefixes.filter((prefix) => !known.has(prefix))).toEqual([])

  const all = { Member: roles, Scope: scopeNames, Task: taskStatuses, Toolset: toolsetNames }
  const unsaid = Object.entries(all).flatMap(([word, names]) =>
    names.filter((name) => !entries.get(word)?.includes(`\`${name}\``)).map((name) => `${word}: ${name}`),
  )
  expect(unsaid).toEqual([])
})

/** The files that CONTRIBUTING.md takes as its example, and what is built or generated. */
function isToBeMade(path: string): boolean {
  return path.endsWith('/list-branches.ts') || path.startsWith('apps/web/dist')
}

test('no text names this machine’s checkout or a package registry’s host', () => {
  const places = files
    .filter((path) => isText(path) && path !== 'tests/unit/docs.test.ts')
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (isOfMachine(line) ? [`${path}:${index + 1}: ${line.slice(0, 120)}`] : [])),
    )
  expect(places).toEqual([])
})

/** A package registry, or a tarball on one, that a lockfile or manifest was made with. */
const registry =
  /registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|_authToken|\b(?:tarball|registry|resolved)"?: *"?https?:/

/** The checkout on this machine, which recorded profiles and results may name; or a registry. */
function isOfMachine(line: string): boolean {
  return line.includes(`${root}/`) || registry.test(line)
}

const binary = new Set(['.gz', '.png', '.ico', '.woff2', '.pb', '.pprof'])

function isText(path: string): boolean {
  // What a link leads to is among the files itself.
  if (lstatSync(join(root, path)).isSymbolicLink()) return false
  return !binary.has(extname(path)) && !readFileSync(join(root, path)).subarray(0, 8000).includes(0)
}

/** Targets of markdown links and images that are relative; code blocks and code spans hold none. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map((match) => match[1] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path))
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).has(anchor)
}

/** Anchors as GitHub makes them from headings, and those written out. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? '')])
}
