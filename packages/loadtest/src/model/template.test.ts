import { expect, test } from 'vitest'
import { literal } from './template.ts'
import { templateParts } from './template-parts.ts'

test.each(['', 'plain', '${name}', '$${name}', 'a ${b} and $${c} and ${', '$'])(
  'literal() makes a template of %j that is this text',
  (text) => {
    expect(templateParts(literal(text))).toEqual(text === '' ? [] : [text])
  },
)
