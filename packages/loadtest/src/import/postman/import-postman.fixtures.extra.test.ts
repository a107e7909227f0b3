import { parse } from '@babel/parser'
import { expect, test } from 'vitest'
import { fixture, fixturePaths } from '../../testing/fixtures.ts'
import { importContext, importText, requestsOf } from '../../testing/import-context.ts'
import { SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importPostman } from './import-postman.ts'

const paths = fixturePaths('postman')
const isFirstFormat = (path: string): boolean => path.includes('v1')
const collections = paths.filter((path) => !isFirstFormat(path))

// Also what tells that these tests are skipped, where there is no folder of fixtures.
test.runIf(paths.length > 0)('there are fixtures of both formats', () => {
  expect(collections.length).toBeGreaterThan(0)
  expect(paths.length).toBeGreaterThan(collections.length)
})

test.runIf(paths.length > 0).each(paths.filter(isFirstFormat))(
  '%s, of format 1, is refused',
  async (path) => {
    const failed = importText(importPostman, fixture(path))
    await expect(failed).rejects.toThrow(SourceError)
    await expect(failed).rejects.toThrow('format 1')
  },
)

test.runIf(collections.length > 0).each(collections)(
  '%s is imported, and every element is in the report',
  async (path) => {
    const bytes = fixture(path)
    const imported = await importText(importPostman, bytes, {}, importContext({ isVerified: () => true }))
    const counted = countAll(JSON.parse(new TextDecoder().decode(bytes)))
    const { read, mapped, approximated, dropped } = countOutcomes(imported.report)
    expect(requestsOf(imported)).toHaveLength(counted.requests)
    expect(read).toBe(counted.all)
    expect(mapped + approximated + dropped).toBe(read)
    const { elements } = imported.report
    expect(elements.filter(({ outcome, note }) => outcome !== 'mapped' && !note)).toEqual([])
  },
)

/** Elements of a collection, counted without the importer: by the keys of the JSON, and by statements of its scripts. */
function countAll(root: unknown): { all: number; requests: number } {
  const dynamic = new Set(JSON.stringify(root).match(/\{\{\$\w+\}\}/g)).size
  const counts = { all: dynamic, requests: 0 }
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, key)
      if (/^(?:item|header|query|urlencoded|formdata|variable|variables|response)$/.test(key))
        counts.all += value.length
      return
    }
    if (typeof value !== 'object' || value === null) {
      if (key === 'header' && typeof value === 'string')
        counts.all += value.split(/\r?\n/).filter(Boolean).length
      return
    }
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'request') counts.requests++
      if (name === 'auth' && JSON.stringify(inner).includes('"type"')) counts.all++
      if (name === 'response') counts.all += Array.isArray(inner) ? inner.length : 0
      else if (name === 'script') counts.all += countStatements(inner)
      else visit(inner, name)
    }
  }
  visit(root, '')
  return counts
}

function countStatements(script: unknown): number {
  const exec = typeof script === 'object' && script !== null && 'exec' in script ? script.exec : script
  const text = Array.isArray(exec) ? exec.join('\n') : String(exec)
  const { program } = parse(text, { allowAwaitOutsideFunction: true })
  return program.body.reduce((sum, each) => sum + countStatement(each), 0)
}

/** A `pm.test` and a `try` count as what is in them. */
function countStatement(statement: ReturnType<typeof parse>['program']['body'][number]): number {
  const sum = (inside: readonly (typeof statement)[]): number =>
    inside.reduce((count, each) => count + countStatement(each), 0)
  if (statement.type === 'EmptyStatement') return 0
  if (statement.type === 'TryStatement')
    return sum([...statement.block.body, ...(statement.handler?.body.body ?? [])])
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return 1
  const { callee, arguments: given } = statement.expression
  const isTest =
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'test'
  const [, body] = given
  const isBlock = body?.type === 'FunctionExpression' || body?.type === 'ArrowFunctionExpression'
  return isTest && isBlock && body.body.type === 'BlockStatement' ? sum(body.body.body) : 1
}
