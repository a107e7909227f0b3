import { expect, test } from 'vitest'
import { windowOf, type WindowRequest } from './line-window.ts'
import { TooMuchText, type TextLine } from './text-lines.ts'

async function* linesOf(text: string): AsyncGenerator<TextLine> {
  for (const [index, line] of text.split('\n').entries())
    yield { number: index + 1, text: line, isCut: false }
}

const text = 'alpha\nbeta\ngamma\nDelta\nepsilon\nzeta\neta\ntheta'

/** Lines as `4* Delta` (a match) and `3 gamma` (around one), then where to go on. */
async function draw(request: Partial<WindowRequest>, of = text): Promise<string[]> {
  const found = await windowOf(linesOf(of), {
    fromLine: 1,
    limit: 100,
    contextLines: 0,
    mostCharacters: 1000,
    ...request,
  })
  const end = found.nextLine === null ? `end of ${found.lineCount}` : `next ${found.nextLine}`
  return [...found.lines.map((line) => `${line.number}${line.isMatch ? '*' : ''} ${line.text}`), end]
}

test('a range of lines', async () => {
  expect(await draw({ fromLine: 2, limit: 2 })).toEqual(['2* beta', '3* gamma', 'next 4'])
  expect(await draw({ fromLine: 7, limit: 2 })).toEqual(['7* eta', '8* theta', 'end of 8'])
  expect(await draw({ fromLine: 9 })).toEqual(['end of 8'])
})

test('lines that contain a text, whatever its case', async () => {
  expect(await draw({ contains: 'DELTA' })).toEqual(['4* Delta', 'end of 8'])
  expect(await draw({ contains: '.*' })).toEqual(['end of 8'])
})

test('lines around those, each once', async () => {
  expect(await draw({ contains: 'eps', contextLines: 1 })).toEqual([
    '4 Delta',
    '5* epsilon',
    '6 zeta',
    'end of 8',
  ])
  expect(await draw({ contains: 'eta', contextLines: 1 })).toEqual([
    '1 alpha',
    '2* beta',
    '3 gamma',
    '5 epsilon',
    '6* zeta',
    '7* eta',
    '8* theta',
    'end of 8',
  ])
})

test('pages follow one another without a gap: every match is on one of them', async () => {
  const pages: string[][] = []
  for (let fromLine: number | null = 1; fromLine !== null;) {
    const page = await windowOf(linesOf(text), {
      fromLine,
      limit: 3,
      contains: 'eta',
      contextLines: 1,
      mostCharacters: 1000,
    })
    pages.push(page.lines.filter((line) => line.isMatch).map((line) => line.text))
    fromLine = page.nextLine
  }
  expect(pages.flat()).toEqual(['beta', 'zeta', 'eta', 'theta'])
})

test('a page of one line has the match, and not what is around it', async () => {
  expect(await draw({ contains: 'gamma', contextLines: 3, limit: 1 })).toEqual(['3* gamma', 'next 4'])
})

test('characters end a page as lines do', async () => {
  expect(await draw({ mostCharacters: 8 })).toEqual(['1* alpha', '2* beta', 'next 3'])
})

async function* tooMuch(): AsyncGenerator<TextLine> {
  yield* linesOf('a\nb')
  throw new TooMuchText()
}

test('what was found before the text became too much is kept', async () => {
  const request = { limit: 10, contextLines: 0, mostCharacters: 100 }
  expect(await windowOf(tooMuch(), { ...request, fromLine: 2 })).toEqual({
    lines: [{ number: 2, text: 'b', isCut: false, isMatch: true }],
    nextLine: 3,
    lineCount: null,
  })
  await expect(windowOf(tooMuch(), { ...request, fromLine: 3 })).rejects.toThrow(TooMuchText)
})
