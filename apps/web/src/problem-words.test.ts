import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { expect, test } from 'vitest'
import { fieldMessages, problemWords } from './problem-words.ts'

const invalid = new ApiProblem({
  status: 400,
  code: 'invalid_input',
  title: 'The input is not valid',
  detail: 'Two fields are wrong.',
  errors: [
    { field: 'name', message: 'Too short' },
    { field: 'tags.2', message: 'Too long' },
  ],
  request_id: 'req-1',
})

test('problemWords() shows title, detail and request id of a problem', () => {
  expect(problemWords(invalid)).toEqual({
    title: 'The input is not valid',
    detail: 'Two fields are wrong.',
    requestId: 'req-1',
  })
})

test('problemWords() tells a lost connection from a bug, and never shows the text of a bug', () => {
  expect(problemWords(new ApiUnreachable('No answer.', { cause: undefined })).title).toBe('No connection')
  expect(problemWords(new TypeError('x is undefined')).detail).not.toContain('undefined')
})

test('fieldMessages() puts the message of an item at its field', () => {
  expect(fieldMessages(invalid)).toEqual({ name: 'Too short', tags: 'Too long' })
  expect(fieldMessages(new Error('x'))).toEqual({})
})
