import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import type { Profile } from '../profile.ts'
import { differentialFlameGraph } from '../several/differential-flame-graph.ts'
import { compareProfiles } from '../several/compare-profiles.ts'
import { profileOf } from '../testing/stacks.ts'
import { exportDifference } from './difference-export.ts'
import { drawingOfProfile } from './drawn-tree.ts'
import { pictureOf, type Picture } from './flame-picture.ts'

const drawn = (stacks: string, widthPx = 1000) =>
  pictureOf(drawingOfProfile(profileOf(stacks), { name: 'a profile' }), widthPx)

/** `x y width` of the boxes of frames; those of the legend are smaller. */
const frames = ({ boxes }: Picture) =>
  boxes.filter(({ height }) => height > 12).map(({ x, y, width }) => `${x} ${y} ${width}`)

const textsOf = ({ texts }: Picture) => texts.map(({ text }) => text)

test('callers are above what they call, the widest first, and neighbours stand apart', () => {
  const { picture, notes } = drawn('main;parse 1\nmain;render;paint 6\nmain;render 1')
  expect(frames(picture)).toEqual(['0 82 999', '0 100 999', '0 118 874', '0 136 749', '875 118 124'])
  expect([picture.widthPx, picture.heightPx]).toEqual([1000, 82 + 4 * 18 + 28])
  expect(notes).toEqual([])
})

test('a title, facts and what the colours mean stand above, and names in their boxes', () => {
  const { picture } = drawn('main;github.com/go/far/away.Name 1')
  expect(textsOf(picture)).toEqual([
    'a profile',
    'samples · 1 in all · collapsed',
    'Unknown',
    'all',
    'main',
    'github.com/go/far/away.Name',
  ])
})

test('of a heap, whose objects come from nowhere, there is no legend, and boxes are coloured by class', () => {
  const heap: Profile = { ...profileOf('Map 1\nSession 1\nArray 1'), format: 'heapsnapshot' }
  const { picture } = pictureOf(drawingOfProfile(heap, { name: 'a heap' }), 1000)
  expect(textsOf(picture)).toEqual([
    'a heap',
    'samples · 3 in all · heapsnapshot',
    'all',
    'Map',
    'Session',
    'Array',
  ])
  expect(new Set(picture.boxes.map(({ color }) => color)).size).toBe(4)
})

test('no text is wider than its box, or than the picture', () => {
  const { picture } = drawn(`${'a'.repeat(500)};b/${'c'.repeat(300)} 3\n${'d'.repeat(9)} 1`, 400)
  for (const { x, text, sizePx } of picture.texts) expect(x + text.length * sizePx * 0.6).toBeLessThan(400)
  expect(textsOf(picture)).toContain('ddddddddd')
})

test('what is too narrow, or too deep, is left out, and picture and notes say so', () => {
  const narrow = drawn('main;large 100000\nmain;small 1\nmain;tiny 1')
  expect(narrow.notes).toEqual([
    '2 frames are left out, because they are narrower than 0.5 px, or deeper than 400 rows.',
  ])
  expect(textsOf(narrow.picture)).toContain(narrow.notes[0])
  const deep = drawn(`${Array.from({ length: 600 }, (_, depth) => `f${depth}`).join(';')} 1`)
  expect(frames(deep.picture)).toHaveLength(400)
  expect(deep.notes).toEqual([expect.stringMatching(/^201 frames are left out/)])
  expect(deep.picture.heightPx).toBe(82 + 400 * 18 + 28)
})

test('letters that the font does not have are seen as such, and the note says so', () => {
  const { picture, notes } = drawn('λ→日本語🔥é\u00ad\u0484 1')
  expect(textsOf(picture).at(-1)).toBe('λ\ufffd\ufffd\ufffd\ufffd\ufffdé\ufffd\ufffd')
  expect(notes).toEqual([
    'The picture’s font has Latin, Greek and Cyrillic letters: others are drawn as \ufffd.',
  ])
})

test('a legend that has no room in one line goes on below', () => {
  const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit: 'count' }] })
  for (const [name, file] of [
    ['main.work', '/src/main.go'],
    ['runtime.mallocgc', '/usr/local/go/src/runtime/malloc.go'],
    ['fmt.Println', '/usr/local/go/src/fmt/print.go'],
    ['zod', '/app/node_modules/zod/index.js'],
    ['?', ''],
  ] as const)
    builder.add(builder.child(0, builder.functions.intern(name, file)), [1])
  const { picture } = pictureOf(drawingOfProfile(builder.finish({ warnings: [] }), { name: '' }), 400)
  const lines = new Set(picture.boxes.filter(({ height }) => height === 12).map(({ y }) => y))
  expect(lines.size).toBeGreaterThan(1)
  expect(Math.min(...picture.boxes.filter(({ height }) => height > 12).map(({ y }) => y))).toBeGreaterThan(
    Math.max(...lines) + 12,
  )
})

test('a profile without any value says that there is nothing', () => {
  const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit: 'count' }] })
  builder.add(builder.child(0, builder.functions.intern('main')), [0])
  const { picture } = pictureOf(drawingOfProfile(builder.finish({ warnings: [] }), { name: 'empty' }), 1000)
  expect(textsOf(picture)).toContain('There is nothing of this to show.')
  expect(frames(picture)).toEqual([])
})

test('a difference is red for more and blue for less, and says what it leaves out', () => {
  const { tree } = compareProfiles(
    profileOf('main;same 10\nmain;more 10\nmain;less 30\nmain;small 1'),
    profileOf('main;same 10\nmain;more 30\nmain;less 10\nmain;small 1'),
    { limit: 0 },
  )
  let painted: Picture | undefined
  const { notes, contentType, extension } = exportDifference(differentialFlameGraph(tree, 5), 'png', {
    title: 'before and after',
    facts: ['cpu'],
    unit: 'count',
    widthPx: 800,
    paint: (picture) => {
      painted = picture
      return new Uint8Array(0)
    },
  })
  expect([contentType, extension, notes]).toEqual([
    'image/png',
    '.png',
    ['1 of the smallest frames are left out.'],
  ])
  expect(textsOf(painted!)).toEqual(
    expect.arrayContaining(['before and after', 'cpu', 'More than before', 'Less', 'more', 'less', 'same']),
  )
  const colorOf = (name: string) => {
    const { x, y } = painted!.texts.find(({ text }) => text === name)!
    const { color } = painted!.boxes.find((box) => box.x === x - 4 && box.y === y - 13)!
    return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  }
  const [red, , blue] = colorOf('more')
  expect(red! - blue!).toBeGreaterThan(40)
  const [lessRed, , lessBlue] = colorOf('less')
  expect(lessBlue! - lessRed!).toBeGreaterThan(40)
  const same = colorOf('same')
  expect(Math.max(...same) - Math.min(...same)).toBeLessThan(20)
})
