import { expect, test } from 'vitest'
import { parseLabels, selectionOf, viewOf, viewsOf, withLabel } from './view-search.ts'

test('the address says which samples are looked at; what is none is nothing', () => {
  expect(selectionOf({})).toEqual({})
  expect(selectionOf({ type: 'cpu', labels: 'thread=main&route=%2Fa%3D1', from: '2.5', to: '10' })).toEqual({
    sample_type: 'cpu',
    labels: ['thread=main', 'route=/a=1'],
    from_ms: 2.5,
    to_ms: 10,
  })
  expect(selectionOf({ labels: '=x&y=', from: '-1', to: 'soon' })).toEqual({})
})

test('labels are added, changed and taken away', () => {
  const both = withLabel(withLabel(undefined, 'thread', 'main #1'), 'route', '/a&b')
  expect([...parseLabels(both)]).toEqual([
    ['thread', 'main #1'],
    ['route', '/a&b'],
  ])
  expect([...parseLabels(withLabel(both, 'thread', 'other'))]).toContainEqual(['thread', 'other'])
  expect(withLabel(withLabel(both, 'thread', undefined), 'route', undefined)).toBe('')
})

test('a view that is none is the flame graph', () => {
  expect(viewOf({ view: 'lines' }, { format: 'pprof' })).toBe('lines')
  expect(viewOf({ view: 'pie' }, { format: 'pprof' })).toBe('flame')
  expect(viewOf({ view: 'classes' }, { format: 'pprof' })).toBe('flame')
})

test('a heap snapshot has dominators and classes; what would be of functions is of classes', () => {
  const snapshot = { format: 'heapsnapshot' }
  expect(viewsOf(snapshot).map(({ id }) => id)).toEqual(['flame', 'classes'])
  expect(['flame', 'classes', 'sandwich'].map((view) => viewOf({ view }, snapshot))).toEqual([
    'flame',
    'classes',
    'classes',
  ])
  expect(viewOf({}, snapshot)).toBe('flame')
})
