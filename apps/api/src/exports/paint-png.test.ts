import { inflateSync } from 'node:zlib'
import { GlobalFonts } from '@napi-rs/canvas'
import type { Picture } from '@flamegate/profiles'
import { expect, test } from 'vitest'
import { paintPng, takeFont } from './paint-png.ts'

const picture: Picture = {
  widthPx: 300,
  heightPx: 60,
  background: '#fdfcfa',
  boxes: [
    { x: 20, y: 10, width: 200, height: 17, color: '#fec07a' },
    { x: 20, y: 30, width: 100.5, height: 17, color: '#8fd0b5' },
  ],
  texts: [{ x: 24, y: 23, text: 'main.parse', sizePx: 12, isBold: false, color: '#1d1b18' }],
}
const withText = (part: Partial<Picture['texts'][number]>): Picture => ({
  ...picture,
  texts: [{ ...picture.texts[0]!, ...part }],
})

test('boxes are where they are said to be, in their colours', () => {
  const at = pixels(paintPng({ ...picture, texts: [] }))
  expect([at.width, at.height]).toEqual([300, 60])
  expect([at(0, 0), at(19, 18), at(220, 18), at(100, 28)]).toEqual(Array(4).fill('#fdfcfa'))
  expect([at(20, 10), at(219, 26)]).toEqual(Array(2).fill('#fec07a'))
  expect([at(20, 30), at(119, 46)]).toEqual(Array(2).fill('#8fd0b5'))
  expect(at(121, 40)).toBe('#fdfcfa')
})

test('text is dark upon its box, as wide as its characters are, and nowhere else', () => {
  const at = pixels(paintPng(picture))
  const dark = darkPixels(at)
  expect(dark.length).toBeGreaterThan(60)
  const [left, right] = [Math.min(...dark.map(({ x }) => x)), Math.max(...dark.map(({ x }) => x))]
  expect(left).toBeGreaterThanOrEqual(24)
  expect(right).toBeLessThan(24 + 10 * 7.21)
  expect(right).toBeGreaterThan(24 + 9 * 7.2)
  for (const { y } of dark) expect([y > 12, y < 27]).toEqual([true, true])
})

const ink = (part: Partial<Picture['texts'][number]>) => darkPixels(pixels(paintPng(withText(part)))).length

test('bold text has more ink, and larger text is larger', () => {
  expect(ink({ isBold: true })).toBeGreaterThan(ink({}) * 1.2)
  expect(ink({ sizePx: 16 })).toBeGreaterThan(ink({}) * 1.3)
})

test('letters look different, and the sign for those that the font does not have can be seen', () => {
  const inked = ['λ', 'Ж', 'é', '…', '\ufffd', 'm'].map((text) =>
    JSON.stringify(darkPixels(pixels(paintPng(withText({ text }))))),
  )
  expect(new Set([...inked, '[]']).size).toBe(7)
})

test('no font of the machine is used: what ours does not have stays empty', () => {
  expect(darkPixels(pixels(paintPng(withText({ text: '日本語' }))))).toEqual([])
})

test.each([
  ['is no font', import.meta.filename],
  ['is not there', '/there/is/no/font.ttf'],
])('a font that %s is missed before anything is painted', (_what, file) => {
  expect(() => takeFont(GlobalFonts, file)).toThrow('was not taken as a font')
})

test('the same picture is the same bytes', () => {
  expect(paintPng(picture)).toEqual(paintPng(picture))
})

interface Pixels {
  /** As `#rrggbb`. */
  (x: number, y: number): string
  width: number
  height: number
}

function darkPixels(at: Pixels): { x: number; y: number }[] {
  const found: { x: number; y: number }[] = []
  for (let y = 0; y < at.height; y++)
    for (let x = 0; x < at.width; x++) if (parseInt(at(x, y).slice(1, 3), 16) < 120) found.push({ x, y })
  return found
}

/** Reads a PNG of 8 bits per channel with alpha, not interlaced: https://www.w3.org/TR/png-3/ */
function pixels(png: Uint8Array): Pixels {
  const bytes = Buffer.from(png)
  expect(bytes.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  // Bit depth, RGBA, deflate, the usual filters, not interlaced.
  expect([...bytes.subarray(24, 29)]).toEqual([8, 6, 0, 0, 0])
  const parts: Buffer[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  const filtered = inflateSync(Buffer.concat(parts))
  const rowBytes = width * 4
  const rows: Uint8Array[] = []
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let y = 0; y < height; y++) {
    const [filter, ...line] = filtered.subarray(y * (rowBytes + 1), (y + 1) * (rowBytes + 1))
    const row = new Uint8Array(rowBytes)
    for (let index = 0; index < rowBytes; index++) {
      const [left, up, upLeft] = [row[index - 4] ?? 0, above[index]!, above[index - 4] ?? 0]
      row[index] = line[index]! + predicted(filter!, left, up, upLeft)
    }
    rows.push((above = row))
  }
  const at = (x: number, y: number) => `#${Buffer.from(rows[y]!.subarray(x * 4, x * 4 + 3)).toString('hex')}`
  return Object.assign(at, { width, height })
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 4) {
    const guess = left + up - upLeft
    const [a, b, c] = [left, up, upLeft].map((value) => Math.abs(guess - value))
    return a! <= b! && a! <= c! ? left : b! <= c! ? up : upLeft
  }
  return [0, left, up, (left + up) >> 1][filter]!
}
