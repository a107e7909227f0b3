import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startLoadedProject, type LoadedProject } from '../system/loaded-project.ts'
import { apiToken, platform, signUp } from '../system/person.ts'
import { followGuide } from './follow-guide.ts'

/** Guides of reports, followed with those of two load tests that an agent of load really made. */

let project: LoadedProject
let token: string
let runIds: string[]

beforeAll(async () => {
  const owner = await signUp('Reader')
  token = await apiToken(owner, ['read', 'write'])
  project = await startLoadedProject(platform().url, owner, 'Read by agents')
  const scenarioId = await project.createScenario('Buyers', { thresholds: ['error share < 1 %'] })
  runIds = []
  for (const _ of ['base', 'head']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as people do
    const { bench_result: run } = await project.run(scenarioId)
    if (run.state !== 'FINISHED') throw new Error(`${run.state}: ${run.message}`)
    runIds.push(run.id)
  }
})
afterAll(() => project?.stop())

test('export-bench-report-pdf ends with a PDF that says what the report says', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'flamegate-pdf-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const answers = await followGuide('export-bench-report-pdf', {
    token,
    given: { project_id: project.id, report_name: 'Buyers' },
    cwd,
  })
  const { name, size_bytes: sizeBytes } = z
    .object({ name: z.string(), size_bytes: z.number() })
    .parse(answers.get('download_file'))
  const file = await readFile(join(cwd, name))
  expect(file).toHaveLength(sizeBytes)
  const { text } = await extractText(new Uint8Array(file), { mergePages: true })
  for (const words of ['Buyers', 'GET /slow', 'p95']) expect(text).toContain(words)
})

test('bench-reports leads from the insights of a run to a comparison and a trend', async () => {
  const values: unknown[] = []
  const answers = await followGuide('bench-reports', {
    token,
    given: { project_id: project.id },
    afterStep: async (_step, soFar) => {
      const read = soFar.get('get_report_item_values')
      if (read !== undefined && read !== values.at(-1)) values.push(read)
    },
  })
  const insights = z
    .object({ insights: z.array(z.object({ kind: z.string() })) })
    .parse(answers.get('get_report_insights')).insights
  expect(insights.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['thresholds_kept', 'worst_action', 'worst_container']),
  )
  const runs = runIds.map((id) => expect.objectContaining({ id }))
  expect(values).toMatchObject([
    { values: { type: 'chart' } },
    { values: { type: 'comparison', runs } },
    { values: { type: 'trend', lines: [{ points: runs.map((run) => ({ run })) }, {}, {}] } },
  ])
})
