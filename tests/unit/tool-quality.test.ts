import { catalogue, fieldsOf, operations, type JsonSchema, type Operation } from '@flamegate/contract'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  buildToolRegistry,
  findTool,
  selectableToolsets,
  toolResultJson,
  type ListedTool,
  type ToolPolicy,
} from '../../packages/surfaces/src/index.ts'
import { lintSchema } from './schema-lint.ts'

// What holds for every tool that clients are shown, under every name.

const everything: ToolPolicy = {
  selection: selectableToolsets,
  isReadOnly: false,
  fixes: 'nothing',
  hasOutputSchemas: true,
}
const listed = buildToolRegistry(everything).tools
const places = ['nothing', 'workspace', 'project'] as const

test('the list is the same every time, by toolset and name, with other names at its end', () => {
  expect(buildToolRegistry({ ...everything }).toolsJson).toBe(buildToolRegistry(everything).toolsJson)
  const own = catalogue.filter((operation) => operation.mcp).map((operation) => operation.id)
  const names = listed.map((tool) => tool.name)
  expect(names.slice(0, own.length)).toEqual(own)
  expect(names.slice(own.length)).toEqual(names.slice(own.length).toSorted())
  expect(new Set(names).size).toBe(names.length)
})

describe.each(listed.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const operation = operationOf(tool)

  test('has a name that every client takes, a title and a description that is no essay', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/)
    const title = findTool(name)?.title ?? ''
    expect(title.length).toBeGreaterThan(3)
    expect(title.length).toBeLessThan(60)
    // What is left out is what clients make of the name themselves.
    expect(tool.title ?? title).toBe(title)
    expect(tool.description.length).toBeGreaterThan(20)
    expect(encode(tool.description).length).toBeLessThanOrEqual(100)
  })

  test('has all four hints, as its effect says', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } = tool.annotations
    expect(others).toEqual({})
    const byEffect = {
      read: [true, false, false],
      write: [false, false, false],
      destroy: [false, true, false],
      run: [false, true, true],
    }
    expect([readOnlyHint, destructiveHint, openWorldHint]).toEqual(byEffect[operation.effect])
    expect(idempotentHint).toBe(operation.idempotent)
    expect(idempotentHint || !readOnlyHint).toBe(true)
  })

  test.each(places)('takes a flat object; the address fixes %s', (fixes) => {
    const { inputSchema } = at(fixes, name)
    expect(inputSchema).toMatchObject({ type: 'object' })
    for (const union of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(inputSchema).not.toHaveProperty(union)
    const { properties = {}, required = [] }: JsonSchema = inputSchema
    expect(required.filter((field) => !(field in properties))).toEqual([])
  })

  test('describes every field of its input, at any depth', () => {
    expect(silentFields(tool.inputSchema)).toEqual([])
  })

  test('has schemas that the MCP inspector finds nothing in', () => {
    expect(lintSchema(tool.inputSchema)).toEqual([])
    expect(lintSchema(tool.outputSchema ?? {})).toEqual(
      tool.outputSchema === undefined ? ['(root): untyped'] : [],
    )
  })

  test('has a schema that takes its examples, and a whole one that refuses a field that is none', () => {
    const reader = z.fromJSONSchema(tool.inputSchema)
    const own = findTool(operation.id)
    for (const { input } of own?.name === name ? operation.examples : []) {
      expect(reader.safeParse(input).error?.issues ?? []).toEqual([])
    }
    const whole = findTool(name)?.inputSchema ?? {}
    expect(whole).toMatchObject({ type: 'object', additionalProperties: false })
    expect(z.fromJSONSchema(whole).safeParse({ surprise: 1 }).success).toBe(false)
  })

  test('answers as its output schema says, in at most 8,000 tokens', () => {
    for (const { output } of operation.examples) {
      const json = toolResultJson(operation, { ...output, url: 'https://flamegate.example/' })
      expect(encode(json).length).toBeLessThanOrEqual(8_000)
      const { structuredContent, content } = JSON.parse(json)
      expect(content[0].text.length).toBeGreaterThan(0)
      const reader = z.fromJSONSchema(tool.outputSchema ?? {})
      expect(reader.safeParse(structuredContent).error?.issues ?? []).toEqual([])
    }
  })
})

test('only what asks to be confirmed has a field for that', () => {
  const withField = listed.filter(({ inputSchema }) =>
    fieldsOf(inputSchema).some(([field]) => field === 'confirm'),
  )
  expect(withField.map((tool) => tool.name)).toEqual(
    listed
      .filter((tool) => ['destroy', 'run'].includes(operationOf(tool).effect))
      .filter(({ name }) => name !== operations.callTool.id)
      .map((tool) => tool.name),
  )
})

test('a report is the text of a tool result and no part of its structure, whose schema says so', () => {
  const reporting = [
    operations.checkRegression,
    operations.compareRuns,
    operations.explainRegression,
    operations.analyzeHeapTimeSeries,
    operations.compareProfiles,
    operations.detectMemoryLeaks,
    operations.queryFlamegraph,
  ]
  expect(catalogue.filter(({ reportField }) => reportField !== undefined)).toEqual(reporting)
  for (const operation of reporting) {
    const [example] = operation.examples
    const answer = { ...example?.output, url: 'https://flamegate.example/' }
    const { content, structuredContent } = JSON.parse(toolResultJson(operation, answer))
    expect(content[0].text).toContain(example?.output.report ?? 'a report')
    expect(structuredContent).not.toHaveProperty('report')
    expect(at('nothing', operation.id).outputSchema?.['properties']).not.toHaveProperty('report')
  }
})

function operationOf(tool: ListedTool): Operation {
  const found = findTool(tool.name)
  if (found === undefined) throw new RangeError(`There is no tool ${tool.name}`)
  return found.operation
}

function at(fixes: ToolPolicy['fixes'], name: string): ListedTool {
  const found = buildToolRegistry({ ...everything, fixes }).tools.find((tool) => tool.name === name)
  if (found === undefined) throw new RangeError(`There is no tool ${name}`)
  return found
}

/** Fields without a word on them, as dotted paths. */
function silentFields(schema: JsonSchema, path = ''): string[] {
  return fieldsOf(schema).flatMap(([name, field]) => {
    const here = `${path}${name}`
    const branches = [field, ...(field.anyOf ?? [])].filter((each) => typeof each === 'object')
    const isSilent = branches.every((branch) => (branch.description ?? '').length < 5)
    const items = typeof field.items === 'object' && !Array.isArray(field.items) ? field.items : {}
    return [
      ...(isSilent ? [here] : []),
      ...branches.flatMap((branch) => silentFields(branch, `${here}.`)),
      ...silentFields(items, `${here}.`),
    ]
  })
}
