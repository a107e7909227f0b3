import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { operations } from '@flamegate/contract'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { estimateTokens, resultTokensMax, toolResultJson } from '../../packages/surfaces/src/index.ts'
import { toolTokens } from '../../scripts/reference/tool-tokens.ts'

const root = resolve(import.meta.dirname, '../..')
/** Counted once: that takes seconds. */
const lists = toolTokens()

describe('the list of tools keeps to its goal', () => {
  test.each(lists.flatMap(({ address, tokens, goal }) => (goal === null ? [] : [[address, tokens, goal]])))(
    'at %s: %i of %i tokens',
    (_address, tokens, goal) => {
      expect(tokens).toBeLessThanOrEqual(goal)
    },
  )

  test('and leaves room for the 145 tools of the whole catalogue', () => {
    const all = lists.find(({ address }) => address === '/mcp/x/all')
    expect((all?.tokens ?? Infinity) / (all?.tools ?? 0)).toBeLessThanOrEqual(25_000 / 145)
  })

  test('and costs less where less is asked for', () => {
    const costs = new Map(lists.map(({ address, tokens }) => [address, tokens]))
    const at = (address: string) => costs.get(address) ?? NaN
    expect(at('/mcp/compact')).toBeLessThan(at('/mcp/x/general') + 500)
    expect(at('/mcp/readonly')).toBeLessThan(at('/mcp'))
    expect(at('/mcp/w/{workspace}/{project}')).toBeLessThan(at('/mcp/w/{workspace}'))
    expect(at('/mcp/x/all')).toBeLessThan(at('/mcp/x/all?output_schemas=true'))
  })
})

/** All kinds of text that answers have in them, the least favourable ones among them. */
const texts: Record<string, string> = {
  'prose and tables': readFileSync(join(root, 'docs/architecture.md'), 'utf8'),
  JSON: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).repeat(10),
  code: readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join(''),
  'hexadecimal numbers': pseudoRandom(8_000).toString('hex'),
  Base64: pseudoRandom(12_000).toString('base64'),
  numbers: JSON.stringify([...pseudoRandom(4_000)].map((byte) => byte * 31_337.77)),
  'names of C++':
    'std::__1::basic_string<char, std::char_traits<char> >::_M_append(char const*, unsigned long)\n'.repeat(
      99,
    ),
  Chinese: '我们的性能测试结果显示这个函数变慢了很多请看火焰图'.repeat(200),
  Russian: 'Производительность функции ухудшилась, посмотрите на график. '.repeat(99),
  emoji: '🔥📈💥🧪'.repeat(500),
}

describe('estimateTokens()', () => {
  test.each(Object.entries(texts))('is at least 0.72 of the truth: %s', (_kind, text) => {
    expect(estimateTokens(text)).toBeGreaterThan(0.72 * encode(text).length)
  })

  test.each(['prose and tables', 'JSON', 'code', 'numbers', 'names of C++'])(
    'is no more than 1.6 of it: %s',
    (kind) => {
      const text = texts[kind] ?? ''
      expect(estimateTokens(text)).toBeLessThan(1.6 * encode(text).length)
    },
  )
})

describe('a result is never over 20,000 tokens, whatever is in it', () => {
  test.each(Object.entries(texts))(
    '%s',
    (_kind, text) => {
      const long = text.repeat(Math.ceil(400_000 / text.length))
      const end = { text: long, url: 'https://flamegate.example/' }
      const results = [
        toolResultJson(operations.readGuide, { ...operations.readGuide.examples[0]?.output, ...end }),
        toolResultJson(operations.fetch, { ...operations.fetch.examples[0]?.output, ...end }),
      ]
      for (const json of results) {
        expect(encode(json).length).toBeLessThanOrEqual(20_000)
        const { content, structuredContent } = JSON.parse(json)
        expect(structuredContent).toBeUndefined()
        expect(content[0].text).toMatch(
          /_truncated: yes\. This is the beginning\. Ask for less .*REST: GET \/v1/,
        )
        expect(estimateTokens(content[0].text)).toBeGreaterThan(resultTokensMax / 2)
      }
      // The tokenizer that tells the truth takes its time over texts without spaces.
    },
    60_000,
  )

  test('one that is too long only in two forms comes as text, whole', () => {
    const lines = Array.from({ length: 1_400 }, (_, at) => `line ${at} of the guide`).join('\n')
    const guide = {
      ...operations.readGuide.examples[0]?.output,
      text: lines,
      url: 'https://flamegate.example/',
    }
    const { content, structuredContent } = JSON.parse(toolResultJson(operations.readGuide, guide))
    expect(structuredContent).toBeUndefined()
    expect(content[0].text).toContain('line 1399 of the guide')
    expect(content[0].text).toMatch(/_truncated: yes\. The text is whole/)
    const document = {
      ...operations.fetch.examples[0]?.output,
      text: lines,
      url: 'https://flamegate.example/',
    }
    const fetched = JSON.parse(toolResultJson(operations.fetch, document))
    expect(JSON.parse(fetched.content[0].text)).toEqual(document)
  })
})

/** The same bytes every time, and without any order in them. */
function pseudoRandom(length: number): Buffer {
  let state = 1
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 24
    }),
  )
}
