import { expect, test } from 'vitest'
import { type Inline, parseMarkdown } from './parse-markdown.ts'

const text = (words: string): Inline => ({ kind: 'text', text: words })

test('parseMarkdown() reads a report: headings, tables, lists, folded parts', () => {
  const report = `---
base_run_id: "run_a"
---

## Regressions (1)

| Benchmark | Change |
| --- | ---: |
| price \\| cart | +12.3 % |

- price cart: slower
- and so on

<details>
<summary>3 unchanged</summary>

One paragraph
of two lines.
</details>
`
  expect(parseMarkdown(report)).toEqual([
    { kind: 'heading', level: 2, content: [text('Regressions (1)')] },
    {
      kind: 'table',
      head: [[text('Benchmark')], [text('Change')]],
      isRight: [false, true],
      rows: [[[text('price | cart')], [text('+12.3 %')]]],
    },
    { kind: 'list', isOrdered: false, items: [[text('price cart: slower')], [text('and so on')]] },
    {
      kind: 'details',
      summary: [text('3 unchanged')],
      content: [{ kind: 'paragraph', content: [text('One paragraph of two lines.')] }],
    },
  ])
})

test('parseMarkdown() reads marks inside a line, and names of functions as they are', () => {
  const [block] = parseMarkdown(
    '**Failed**: `a_b_c()` in snake_case_name, *really* [look](https://example.com/x?y=1)',
  )
  expect(block).toEqual({
    kind: 'paragraph',
    content: [
      { kind: 'strong', text: 'Failed' },
      text(': '),
      { kind: 'code', text: 'a_b_c()' },
      text(' in snake_case_name, '),
      { kind: 'emphasis', text: 'really' },
      text(' '),
      { kind: 'link', content: [text('look')], href: 'https://example.com/x?y=1' },
    ],
  })
})

test('parseMarkdown() reads marks inside a link', () => {
  expect(parseMarkdown('Both: [`pkg::Route`](/compare)')).toEqual([
    {
      kind: 'paragraph',
      content: [
        text('Both: '),
        { kind: 'link', content: [{ kind: 'code', text: 'pkg::Route' }], href: '/compare' },
      ],
    },
  ])
})

test('parseMarkdown() makes no link of an address that could run something, and no HTML of tags', () => {
  expect(parseMarkdown('[x](javascript:alert(1)) [y](//elsewhere) <img src=x>')).toEqual([
    { kind: 'paragraph', content: [text('[x](javascript:alert(1)) [y](//elsewhere) <img src=x>')] },
  ])
})

test('parseMarkdown() ends, whatever it is given', () => {
  for (const odd of ['```', '<details>', '| a', '|\n|-', '#', '- ', '', '\n\n', '**', '</details>']) {
    expect(Array.isArray(parseMarkdown(odd))).toBe(true)
  }
})
