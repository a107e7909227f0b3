import { describe, expect, test } from 'vitest'
import { totalValues, type Profile } from '../profile.ts'
import { profileOf } from '../testing/stacks.ts'
import { drawingOfProfile } from './drawn-tree.ts'
import { drawFlameGraph } from './svg.ts'

const svgOf = (stacks: string) =>
  new TextDecoder().decode(drawFlameGraph(drawingOfProfile(profileOf(stacks), { name: 'a profile' })).bytes)

/** `name row x width` of each box. */
function boxes(svg: string): string[] {
  return [
    ...svg.matchAll(
      /<svg class="f [^"]*" data-row="(\d+)" x="([^"]*)" y="\d+" width="([^"]*)" height="18"><title>([^\n<]*)/g,
    ),
  ].map(([, row, x, width, name]) => `${name} ${row} ${x} ${width}`)
}

test('callers are above what they call, the widest first, in shares of the whole', () => {
  expect(boxes(svgOf('main;parse 1\nmain;render;paint 6\nmain;render 1'))).toEqual([
    'all 0 0% 100%',
    'main 1 0% 100%',
    'render 2 0% 87.5%',
    'paint 3 0% 75%',
    'parse 2 87.5% 12.5%',
  ])
})

test('a box tells its function, where it comes from, and what it takes', () => {
  expect(svgOf('main 1\nmain;node_modules 3')).toContain(
    '<title>node_modules\nUnknown\n3 (75.00%), self 3 (75.00%)</title>',
  )
})

test('names are text: no markup, no end of a script, no character that XML does not know', () => {
  const evil = `</script><img src=x onerror=alert(1)>;]]><script>alert(2)</script>;a"b&c;d\u0001\u{d800}e`
  const svg = svgOf(`${evil} 1`)
  expect(svg.match(/<script>/g)).toHaveLength(1)
  expect(svg).not.toContain('<img')
  expect(svg).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;')
  expect(svg).toContain('a&quot;b&amp;c')
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  expect(svg).not.toMatch(/[\0-\u0008\u000b-\u001f]/)
  expect(svg.isWellFormed()).toBe(true)
})

test('nothing is fetched', () => {
  const svg = svgOf('main 1')
  const addresses = [...svg.matchAll(/https?:\/\/[^"' <]*/g)].map(([address]) => address)
  expect(new Set(addresses)).toEqual(new Set(['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xhtml']))
  expect(svg).not.toMatch(/\b(href|src|url\()/)
})

test('objects of a heap come from nowhere: the hue of a box is that of its class', () => {
  const profile: Profile = {
    ...profileOf('Map 1\nSession 1\nArray 1\nMap;(string) 1'),
    format: 'heapsnapshot',
  }
  const svg = new TextDecoder().decode(drawFlameGraph(drawingOfProfile(profile, { name: 'a heap' })).bytes)
  const light = svg.slice(0, svg.indexOf('@media'))
  const channels = [...light.matchAll(/\.an\d+>rect\{fill:#(..)(..)(..)\}/g)].map(([, ...hex]) =>
    hex.map((digits) => parseInt(digits, 16)),
  )
  const strongest = channels.map((rgb) => rgb.indexOf(Math.max(...rgb)))
  expect(channels).toHaveLength(4)
  expect(new Set(strongest).size).toBeGreaterThan(1)
  expect(svg).toContain('<title>Session\n1 (25.00%), self 1 (25.00%)</title>')
})

test('what is too narrow to be seen is left out, and the picture and the note say so', () => {
  const { bytes, notes } = drawFlameGraph(
    drawingOfProfile(profileOf('main;large 100000\nmain;small 1\nmain;tiny 1'), { name: '' }),
  )
  expect(notes).toEqual(['2 frames are left out, because they are narrower than 0.1 px.'])
  expect(new TextDecoder().decode(bytes)).toContain(notes[0])
})

test('a profile without any value says that there is nothing', () => {
  expect(
    new TextDecoder().decode(
      drawFlameGraph({
        tree: {
          ...profileOf('main 1'),
          origins: ['Unknown'],
          self: new Float64Array(2),
          totals: new Float64Array(2),
          unit: 'count',
        },
        title: 'empty',
        facts: [],
      }).bytes,
    ),
  ).toContain('There is nothing of this to show.')
})

describe('a difference', () => {
  const profile = profileOf('main;same 10\nmain;more 30\nmain;less 10\nmain;new 10\nmain;gone 10')
  const columnOf = (values: Record<string, number>) =>
    Float64Array.from(
      profile.nodes.functionIndexes,
      (index) => values[profile.functions.names[index] ?? ''] ?? 0,
    )
  const sideOf = (values: Record<string, number>) => {
    const self = columnOf(values)
    return { self, totals: totalValues(profile.nodes.parents, self) }
  }
  const svg = new TextDecoder().decode(
    drawFlameGraph({
      tree: {
        ...profile,
        origins: profile.functions.names.map(() => 'Unknown'),
        ...sideOf({ same: 10, more: 30, less: 10, new: 10 }),
        before: sideOf({ same: 10, more: 10, less: 30, gone: 10 }),
        unit: 'count',
      },
      title: 'before and after',
      facts: ['cpu'],
    }).bytes,
  )

  test('is red for more and blue for less, most strongly for what is new or gone', () => {
    const classes = [...svg.matchAll(/<svg class="f ([^"]*)"[^>]*><title>([^\n<]*)/g)].map(
      ([, kind, name]) => `${name} ${kind}`,
    )
    expect(classes).toEqual([
      'all same',
      'main same',
      'more more3',
      'less less3',
      'same same',
      'new more4',
      'gone less4',
    ])
    expect(svg).toContain('red: more than before · blue: less')
  })

  test('shows both sides: boxes are as wide as both together', () => {
    expect(boxes(svg)).toContain('gone 2 91.66667% 8.33333%')
    expect(svg).toContain('before 30 (50.00%), now 10 (16.67%)')
  })
})
