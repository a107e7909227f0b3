import { describe, expect, test } from 'vitest'
import { catalogue, fieldsOf, inputSchemaOf, outputSchemaOf, problems, toolsets } from './index.ts'

test('every name and every route is used once', () => {
  const ids = catalogue.map((operation) => operation.id)
  const routes = catalogue.map(({ http }) => `${http.method} ${http.path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(ids).toEqual([...new Set(ids)])
  expect(routes).toEqual([...new Set(routes)])
})

test('the order is by toolset, then by name, so that listings are the same every time', () => {
  const keys = catalogue.map((operation) => `${operation.toolset} ${operation.id}`)
  expect(keys).toEqual(keys.toSorted())
})

describe.each(catalogue.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const input = inputSchemaOf(operation)
  const output = outputSchemaOf(operation)

  test('has a tool name, a title and a description that help to choose it', () => {
    expect(id).toMatch(/^[a-z][a-z0-9_]{0,39}$/)
    expect(operation.title.length).toBeGreaterThan(3)
    expect(operation.description.length).toBeGreaterThan(20)
    expect(Object.keys(toolsets)).toContain(operation.toolset)
  })

  test('takes a flat object that refuses unknown fields, without a union at the top', () => {
    expect(input.type).toBe('object')
    expect(input.additionalProperties).toBe(false)
    expect(input.anyOf ?? input.oneOf).toBeUndefined()
    expect(output.type).toBe('object')
  })

  test('describes every field of its input', () => {
    const silent = fieldsOf(input).filter(([, field]) => (field.description ?? '').length < 5)
    expect(silent.map(([name]) => name)).toEqual([])
  })

  test('has examples that its own schemas read, with a page and markdown for each', () => {
    expect(operation.examples.length).toBeGreaterThan(0)
    for (const example of operation.examples) {
      const parsed = operation.input.parse(example.input)
      const answer = operation.output.parse(example.output)
      expect(operation.link(answer, parsed)).toMatch(/^\/(?!\/)/)
      expect(operation.markdown(answer).length).toBeGreaterThan(3)
    }
  })

  test('asks for a scope that fits its effect', () => {
    const allowed = {
      read: ['read', 'admin'],
      write: ['write', 'admin'],
      destroy: ['write', 'admin'],
      run: ['run'],
    }
    // What agents of load do is no tool, and nobody else may.
    const agentsOwn = operation.mcp || operation.scopes.length > 1 ? [] : ['agent']
    expect([...allowed[operation.effect], ...agentsOwn]).toContain(operation.scopes[0])
  })

  test('names only problems of the table', () => {
    for (const code of operation.problems) expect(problems[code]).toBeDefined()
  })
})
