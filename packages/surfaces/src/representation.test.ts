import { expect, test } from 'vitest'
import { answerPayload } from './representation.ts'

test.each(['plain', 'größer', 'e\u0301 \u{1F600}', ''])(
  'the payload of an answer with %j is its JSON in UTF-8',
  (text) => {
    const answer = { text, url: 'https://flamegate.example/' }
    expect(Buffer.from(answerPayload(answer)).toString()).toBe(JSON.stringify(answer))
  },
)
