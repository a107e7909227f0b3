import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { answerPayload, toolResultJson } from './representation.ts'

test.each(['plain', 'größer', 'e\u0301 \u{1F600}', ''])(
  'the payload of an answer with %j is its JSON in UTF-8',
  (text) => {
    const answer = { text, url: 'https://flamegate.example/' }
    expect(Buffer.from(answerPayload(answer)).toString()).toBe(JSON.stringify(answer))
  },
)

test.each([0, 1])(
  'what is cut ends with a whole character, of two halves each, after %i others',
  (before) => {
    const answer = {
      name: 'x',
      media_type: 'text/markdown',
      text: 'x'.repeat(before) + '\u{1F600}'.repeat(20_000),
      others: [],
      public_url: 'https://flamegate.example/x',
      url: 'https://flamegate.example/connect',
    }
    const result = toolResultJson(operations.readGuide, answer)
    expect(result).toContain('_truncated: yes.')
    // In JSON half of a character is an escape, which strict readers refuse.
    expect(result).not.toMatch(/\\ud[89a-f]/)
  },
)
