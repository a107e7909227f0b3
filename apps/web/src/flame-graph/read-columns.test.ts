import { expect, test } from 'vitest'
import { drawRows } from './folded-tree.ts'
import { readColumns } from './read-columns.ts'

/** `main;parse 4`, `main;render 6` and `gc 8`, as packages/profiles/src/exports/flame-columns.ts writes them. */
async function columnFile(part: { magic?: string; cut?: number } = {}): Promise<Uint8Array<ArrayBuffer>> {
  const head = JSON.stringify({
    sampleType: 'cpu',
    unit: 'ms',
    scale: 2,
    nodeCount: 5,
    note: 'not all',
    names: ['main', 'parse', 'render', 'gc'],
    files: ['', 'a.ts'],
    origins: ['User code', 'Runtime'],
  })
  const columns = [
    [1, 1, 1, 0],
    [0, 0, 0, 1],
    [1, 1, 1, 2, 4],
    [-1, 0, 1, 2, 3],
    [0, 0, 2, 3, 4],
  ]
  const bytes = [...new Uint8Array(Uint32Array.of(head.length).buffer), ...new TextEncoder().encode(head)]
  for (const column of columns) {
    while (bytes.length % 8 !== 0) bytes.push(0)
    bytes.push(...new Uint8Array(Int32Array.from(column).buffer))
  }
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new CompressionStream('deflate'))
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer())
  const prefix = [...new TextEncoder().encode(part.magic ?? 'FGFC'), 1, 0, 0, 0]
  const length = new Uint8Array(Uint32Array.of(bytes.length + (part.cut ?? 0)).buffer)
  return Uint8Array.from([...prefix, ...length, ...deflated])
}

test('readColumns() adds up totals and lays the tree out', async () => {
  const { layout, functions, sampleType, unit, note } = await readColumns(await columnFile())
  expect(drawRows({ ...layout, functions })).toEqual([
    'all 0-18',
    'main 0-10  gc 10-18',
    'render 0-6  parse 6-10',
  ])
  expect([sampleType, unit, note]).toEqual(['cpu', 'ms', 'not all'])
  expect(functions.slice(2)).toEqual([
    { name: 'render', file: 'a.ts', origin: 'User code' },
    { name: 'gc', file: null, origin: 'Runtime' },
  ])
  // The numbers of the wire, for addresses.
  expect([...layout.wireOf]).toEqual([0, 1, 4, 3, 2])
})

test('readColumns() says what it cannot read', async () => {
  await expect(readColumns(await columnFile({ magic: 'FGPF' }))).rejects.toThrow('cannot draw')
  await expect(readColumns(await columnFile({ cut: 8 }))).rejects.toThrow('only in part')
})
