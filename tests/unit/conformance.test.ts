import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { knownFailures } from '../../scripts/conformance/known-failures.ts'
import { importsOf } from './floor-plan.ts'

const root = resolve(import.meta.dirname, '../..')
/** The test program that is open to everybody, and its fixtures. */
const conformanceFolder = 'apps/gateway/src/testing/conformance/'

/** Source files that are no tests themselves, by their path from the checkout. */
const shipped = ['apps', 'packages', 'bench', 'demo']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter(
    (path) => /\.(?:tsx?|mjs)$/.test(path) && !/node_modules|\/dist\/|\/generated\/|\.test\./.test(path),
  )
  .filter((path) => !path.startsWith(conformanceFolder))

test('the conformance fixtures are reached from no app and no package', () => {
  expect(shipped.length).toBeGreaterThan(300)
  const reaching = shipped.filter((path) =>
    importsOf(readFileSync(join(root, path), 'utf8')).some((specifier) => specifier.includes('conformance')),
  )
  expect(reaching).toEqual([])
})

test('no setting and no build names the conformance fixtures', () => {
  const named = [
    ...shipped.filter((path) => /(?:config|settings|main)\.ts$/.test(path)),
    'docs/reference/configuration.md',
    'package.json',
  ].filter((path) =>
    /conformance/i.test(
      readFileSync(join(root, path), 'utf8').replaceAll('@modelcontextprotocol/conformance', ''),
    ),
  )
  expect(named).toEqual([])
})

test('what does not pass on 2026-07-28 counts for nothing there, and before it is the server’s own requests', () => {
  expect(knownFailures['2026-07-28']?.map(({ reason }) => reason.startsWith('Not scored.'))).toEqual([true])
  expect(knownFailures['2025-11-25']?.map(({ scenario }) => scenario)).toEqual([
    expect.stringContaining('sampling'),
    expect.stringContaining('elicitation'),
    expect.stringContaining('elicitation'),
    expect.stringContaining('elicitation'),
    'resources-subscribe',
    'resources-unsubscribe',
  ])
  expect(knownFailures['authorization']).toEqual([])
})
