import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { liveLog, livePush } from '../push.ts'
import { readHotpathAnswers, type HotpathAnswer } from './read-answers.ts'
import { createHotpathLogs } from './read-logs.ts'
import { readHotpathReport } from './read-report.ts'
import { unknownNames } from './testing/unknown-names.ts'

/** Bodies of the first and of the newest generation, which are not kept here. */
const folder = join(import.meta.dirname, '../../../../../shared/fixtures/hotpath')
const generations = existsSync(folder) ? ['v1', 'v4'] : []
if (generations.length === 0)
  console.warn(`SKIPPED: the bodies of hotpath-rs are not at ${folder}, so none of them is read.`)

function jsonOf(generation: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, generation, file), 'utf8'))
}

/** `/channels/0/logs` is in channels__0__logs.json. */
function filesOf(generation: string) {
  return readdirSync(join(folder, generation)).map((file) => ({
    file,
    path: `/${file.replace('.json', '').replaceAll('__', '/')}`,
  }))
}

function readingOf(generation: string) {
  const lists = filesOf(generation).filter(({ path }) => /^\/(?!error|report)\w+$/.test(path))
  return readHotpathAnswers(
    new Map<string, HotpathAnswer>(
      lists.map(({ path, file }) => [path, { status: 200, body: jsonOf(generation, file) }]),
    ),
  )
}

test.each(generations)('%s: all its lists make a push, with the names that sections have', (generation) => {
  const { sections, elapsedMs, era } = readingOf(generation)
  expect([era, elapsedMs]).toEqual([generation.slice(1), 12_400])
  const push = livePush.parse({ session: 'session-1', sequence: 0, at: 1, sections, logs: [] })
  expect(unknownNames(push)).toEqual([])
  const states = Object.values(push.sections).map(({ status, items }) => [status, items.length > 0])
  expect(new Set(states.map(String))).toEqual(new Set(['on,true']))
})

test.each(generations)('%s: the functions are those that were measured', (generation) => {
  const functions = readingOf(generation).sections.functions_timing?.items ?? []
  expect(functions.map(({ name, distributions }) => [name, distributions?.['duration']?.total])).toEqual([
    ['shop_api::db::query', 3.15e9],
    ['shop_api::render', 600e6],
    ['shop_api::auth::verify', 63e6],
  ])
})

test.each(generations)('%s: every log is found where its item says, and read once', (generation) => {
  const { logs } = readingOf(generation)
  const reader = createHotpathLogs()
  const clock = { readAt: 20_000, startedAt: 7600 }
  const read = filesOf(generation).filter(({ path }) => /(?:logs|calls)$/.test(path))
  expect(read.length).toBeGreaterThan(1)
  for (const { path, file } of read) {
    const item = logs.find((each) => each.path === path)
    if (item === undefined) throw new Error(`No item has the log ${path}`)
    const log = liveLog.parse(reader.read(item, jsonOf(generation, file), clock))
    expect(log.at.length).toBeGreaterThan(0)
    expect(reader.read(item, jsonOf(generation, file), clock)).toBeUndefined()
  }
})

test.runIf(generations.length > 0)('v4: the report is one push', () => {
  const { at, program, sections } = readHotpathReport(jsonOf('v4', 'report.json'))
  expect(program).toMatchObject({ name: 'shop_api', runtime: 'rustc 1.89.0, linux-x86_64' })
  expect(livePush.parse({ session: 'session-1', sequence: 0, at, program, sections })).toMatchObject({
    at: Date.parse('2026-11-20T12:00:00Z'),
  })
})
