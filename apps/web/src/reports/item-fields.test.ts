import { benchReport, type ReportItemType } from '@flamegate/loadtest/report'
import { describe, expect, test } from 'vitest'
import { itemFields, itemTypeChoices, newItem } from './item-fields.ts'

const runs = [{ id: '0', label: 'First' }]

describe.each(itemTypeChoices.map(({ id }) => id))('a new item of the type %s', (id) => {
  const type = benchReport.shape.items
    .unwrap()
    .element.options.map((option): ReportItemType => option.shape.type.value)
    .find((known) => known === id)

  test('is valid, and has a field for whatever it is made of', () => {
    if (type === undefined) throw new Error('It is no type of items')
    const item = newItem(type, new Set())
    const report = benchReport.parse({
      name: 'R',
      bench_result_ids: ['bnr_1'],
      trend: {},
      items: [item],
    })
    const [parsed] = report.items
    const fields = itemFields(type, runs).map(({ name }) => name)
    const unsaid = new Set(['id', 'type', ...(['comparison', 'trend', 'text'].includes(type) ? place : [])])
    expect(fields.toSorted()).toEqual(
      Object.keys(parsed ?? {})
        .filter((name) => !unsaid.has(name))
        .toSorted(),
    )
    // Nothing that the schema would fill in is left out, so that the form shows it.
    expect(item).toEqual(parsed)
  })
})

const place = ['run', 'from_second', 'to_second']

test('every type can be added', () => {
  const types = benchReport.shape.items.unwrap().element.options.map((option) => option.shape.type.value)
  expect(itemTypeChoices.map(({ id }) => id).toSorted()).toEqual(types.toSorted())
})

test('a second item of a type gets an id of its own', () => {
  expect(newItem('chart', new Set(['chart', 'chart-1']))['id']).toBe('chart-2')
})
