import {
  catalogue,
  fieldsOf,
  findOperation,
  inputSchemaOf,
  operations,
  outputSchemaOf,
  toolsetNames,
  type JsonSchema,
} from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { failureCauses } from '../../packages/loadtest/src/judge/group-by-cause.ts'
import { standardItems } from '../../packages/loadtest/src/report/index.ts'
import { insightKinds } from '../../packages/reports/src/insight.ts'
import { errorClasses } from '../../packages/series/src/index.ts'
import { prompts, publicTexts, toolResultJson } from '../../packages/surfaces/src/index.ts'
import { guideTokens } from '../../scripts/reference/guide-tokens.ts'
import { exampleArguments, isPlaceOfAnswer } from '../guides/guide-examples.ts'
import { blanksOf, endsOf, givenOf, pathOf, placeOf, stepsOf } from '../guides/guide-steps.ts'

const site = 'https://flamegate.example'
const texts = publicTexts(site)
const guides = texts.filter((each) => each.kind !== 'schema')
const schemas = texts.filter((each) => each.kind === 'schema')

/** Every name that a call or an answer can have: of fields at any depth, and of words a field may hold. */
const names = new Set(
  catalogue.flatMap((operation) => [
    operation.id,
    ...namesIn(inputSchemaOf(operation)),
    ...namesIn(outputSchemaOf(operation)),
  ]),
)
/** Names that others gave: MCP, pprof, JSON; what load tests tell of; names of commands, guides and toolsets. */
const otherNames = new Set([
  'isError',
  'readOnlyHint',
  'destructiveHint',
  'inuse_space',
  'alloc_space',
  'confirm_with',
  'true',
  'false',
  'flamegate',
  'agents',
  ...failureCauses,
  ...errorClasses,
  ...insightKinds,
  ...standardItems({ hasMonitors: true, hasBrowsers: true }).map(({ id }) => id),
  ...guides.map((guide) => guide.name),
  ...toolsetNames,
])
const routes = new Set(
  catalogue.map(({ http }) => `${http.method} ${http.path}`).concat('POST /v1/tools/{name}'),
)
/** What the server answers beside the operations, and pages of the web UI. */
const otherPaths = new Set([
  '/mcp',
  '/v1/openapi.json',
  '/connect',
  '/connect/tools',
  '/mcp/compact',
  '/upload',
  '/mcp/x/all',
  // The check stops at the plus.
  '/mcp/x/benchmarks',
  '/connected-apps',
  '/mcp/public/skills/',
  '/mcp/public/schema/',
  '/mcp/public/AGENTS.md',
])

test('each has a name of its own, and a sentence that says when to read it', () => {
  expect(guides.length).toBeGreaterThan(5)
  expect(schemas.length).toBeGreaterThan(4)
  expect(new Set(texts.map((each) => each.name)).size).toBe(texts.length)
  for (const { name, description } of texts) {
    expect(name).toMatch(/^[a-z][a-z-]*(?:\.json)?$/)
    expect(description).toMatch(/^[A-Z].{20,200}\.$/)
  }
})

describe.each(guides.map((guide) => [guide.name, guide] as const))('%s', (_name, guide) => {
  const spans = [...guide.text.replaceAll(/^ *```.*?^ *```/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? '',
  )

  test('names only tools, fields and words that exist', () => {
    const said = spans.filter((span) => /^[a-zA-Z]+(?:_[a-z]+)*$/.test(span) && !/^[A-Z_]+$/.test(span))
    const given = givenOf(guide.text)
    expect(
      said.filter((span) => ![names, otherNames].some((known) => known.has(span)) && !given.includes(span)),
    ).toEqual([])
  })

  test('names only paths that are answered', () => {
    const paths = [...guide.text.matchAll(/https:\/\/flamegate\.example(\/[\w./-]*[\w/])/g)].map(
      (match) => match[1] ?? '',
    )
    expect(paths.filter((path) => !otherPaths.has(path))).toEqual([])
    const said = spans.filter((span) => /^(?:GET|POST|PUT|PATCH|DELETE) \//.test(span))
    expect(said.filter((route) => !routes.has(route))).toEqual([])
  })

  test('has only examples that the tools would take', () => {
    for (const step of stepsOf(guide.text)) {
      if (step.kind === 'shell') continue
      const operation = findOperation(step.tool)
      expect([step.tool, operation?.mcp]).toEqual([step.tool, true])
      expect([step.tool, operation?.input.safeParse(exampleArguments(step)).error?.issues ?? []]).toEqual([
        step.tool,
        [],
      ])
      for (const path of Object.keys(step.until ?? {})) {
        expect([path, isPlaceOfAnswer({ tool: step.tool, path: pathOf(path) })]).toEqual([path, true])
      }
    }
  })

  test('takes values only from what was given, and from answers to calls before', () => {
    const given = new Set(givenOf(guide.text))
    const asked = new Set<string>()
    const wrong: string[] = []
    for (const step of stepsOf(guide.text)) {
      for (const blank of blanksOf(step).filter((each) => !given.has(each))) {
        if (!/[.[]/.test(blank)) wrong.push(`${blank} is not given`)
        else if (!asked.has(placeOf(blank).tool)) wrong.push(`${blank}: it was not called before`)
        else if (!isPlaceOfAnswer(placeOf(blank))) wrong.push(`${blank}: no answer has that`)
      }
      if (step.kind === 'call' && !step.isInstead) asked.add(step.tool)
    }
    for (const { place } of endsOf(guide.text)) {
      if (!asked.has(place.tool)) wrong.push(`the end: ${place.tool} was not called`)
      if (!isPlaceOfAnswer(place)) wrong.push(`the end: no answer has ${JSON.stringify(place)}`)
    }
    expect(wrong).toEqual([])
  })

  test.runIf(guide.kind === 'guide')('says when it is done', () => {
    expect(endsOf(guide.text).length).toBeGreaterThan(0)
  })
})

test('each is short: agents pay for what they read', () => {
  expect(guideTokens().filter(({ tokens, goal }) => tokens > goal)).toEqual([])
})

test('guides that a guide mentions exist', () => {
  const mentioned = guides.flatMap((guide) =>
    [...guide.text.matchAll(/\bguide ([a-z]+(?:-[a-z]+)+)/g)].map((match) => match[1]),
  )
  expect(mentioned.length).toBeGreaterThan(0)
  expect(mentioned.filter((name) => !guides.some((guide) => guide.name === name))).toEqual([])
})

test('the overview lists every guide and every schema', () => {
  const [overview] = guides
  expect(overview?.name).toBe('agents')
  for (const { name } of texts.slice(1)) expect(overview?.text).toContain(`- \`${name}\`: `)
})

/** A document of each kind, as the operations show them in their examples. */
const documents: Record<string, unknown> = {
  'project.json': operations.getProject.examples[0]?.output.project,
  'run.json': operations.getRun.examples[0]?.output.run,
  'benchmark-result.json': operations.getBenchmarkResult.examples[0]?.output.result,
  'profile.json': operations.getProfile.examples[0]?.output.profile,
  'file.json': operations.listFiles.examples[0]?.output.files[0],
  'task.json': operations.getTaskResult.examples[0]?.output.task,
  'submission.json': operations.submitBenchmarkResults.examples[0]?.input,
  'vu.json': { name: 'Buyer', actions: [{ type: 'script', id: 'a', source: '' }] },
  'variables.json': { type: 'constant', name: 'user', value: 'ada' },
  'http-servers.json': { name: 'shop', base_url: 'https://shop.example.com' },
  'correlation-rules.json': {
    name: 'CSRF token',
    variable: 'csrf',
    source: { type: 'json_path', path: '$.csrf' },
  },
  'injection-rules.json': { targets: ['header'], target_name: 'x-csrf-token' },
  'scenario.json': {
    name: 'Checkout',
    profiles: [
      {
        id: 'buyers',
        name: 'Buyers',
        virtual_user_id: 'vu_01',
        load: { type: 'ramp_up', users: 50, plateau_ms: 60_000 },
      },
    ],
    thresholds: ['error share < 1 %'],
  },
  'sla-profile.json': {
    name: 'Checkout',
    bands: [{ severity: 'critical', metric: 'error_share', from: 5 }],
    attachments: [{ virtual_user_id: 'vu_01' }],
  },
  'monitor.json': {
    name: 'Web server',
    type: 'linux',
    thresholds: [{ name: 'Busy', counters: ['cpu.*'], above: 90 }],
  },
  'bench-report.json': {
    name: 'Checkout, 50 users',
    bench_result_ids: ['bnr_01'],
    items: [{ id: 'load', type: 'chart', lines: [{ metric: 'rate' }, { metric: 'users', axis: 'right' }] }],
  },
  'bench-report-template.json': { name: 'Ours', items: [{ id: 'errors', type: 'errors' }] },
}

describe.each(schemas.map((schema) => [schema.name, schema] as const))('%s', (name, schema) => {
  test('is JSON Schema 2020-12 under its own address, and fits such a document and nothing else', () => {
    const { $id, ...document } = z.looseObject({ $id: z.string() }).parse(JSON.parse(schema.file))
    expect($id).toBe(schema.publicUrl)
    expect(document).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
    })
    const reader = z.fromJSONSchema(document)
    expect(reader.safeParse(documents[name]).error?.issues ?? []).toEqual([])
    expect(reader.safeParse({ id: 1 }).success).toBe(false)
  })

  test('comes whole over read_guide, for all that an answer may be long', () => {
    const { text, title, description, mediaType: media_type, publicUrl: public_url } = schema
    const others = texts.map((each) => each.name)
    const answer = { name, title, description, media_type, text, others, public_url, url: site }
    expect(JSON.parse(schema.text)).toEqual(JSON.parse(schema.file))
    const { content } = z
      .object({ content: z.tuple([z.object({ text: z.string() })]) })
      .parse(JSON.parse(toolResultJson(operations.readGuide, answer)))
    expect(content[0].text).toContain(schema.text)
  })
})

describe.each(prompts.map((prompt) => [prompt.name, prompt] as const))('the prompt %s', (name, prompt) => {
  const guide = guides.find((each) => each.name === prompt.guide)
  const values = Object.fromEntries(prompt.arguments.map((each) => [each.name, `<${each.name}>`]))

  test('asks for what its guide is given, and leads through it', () => {
    expect(name).toMatch(/^[a-z]+(?:-[a-z]+)+$|^optimize$/)
    expect(prompt.arguments.map((each) => each.name).toSorted()).toEqual(
      givenOf(guide?.text ?? '').toSorted(),
    )
    expect(prompt.text(values)).toContain(`read_guide with name ${prompt.guide}.`)
  })

  test('fills in what it was given, and says what is to be found out', () => {
    for (const value of Object.values(values)) expect(prompt.text(values)).toContain(value)
    const text = prompt.text({})
    for (const each of prompt.arguments)
      expect(text).toContain(`- ${each.name}: ${each.description} Find it out`)
    expect(text).not.toContain('undefined')
  })
})

function namesIn(schema: JsonSchema | boolean | undefined): string[] {
  if (typeof schema !== 'object') return []
  const items = Array.isArray(schema.items) ? schema.items : [schema.items]
  const inner = [
    ...items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined,
  ]
  return [
    ...(schema.enum ?? []).map(String),
    ...(typeof schema.const === 'string' ? [schema.const] : []),
    ...fieldsOf(schema).flatMap(([name, field]) => [name, ...namesIn(field)]),
    ...inner.flatMap((each) => namesIn(each)),
  ]
}
