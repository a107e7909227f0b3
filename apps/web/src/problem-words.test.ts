import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { expect, test } from 'vitest'
import { fieldMessages, problemWords } from './problem-words.ts'
import { TaskFailed } from './task-failed.ts'

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

test('problemWords() shows title and detail of a problem, and the request id when it is our failure', () => {
  expect(problemWords(invalid)).toEqual({ title: 'The input is not valid', detail: 'Two fields are wrong.' })
  const failure = new ApiProblem({
    status: 500,
    code: 'internal',
    title: 'Something went wrong on our side',
    detail: 'Try again.',
    request_id: 'req-2',
  })
  expect(problemWords(failure).requestId).toBe('req-2')
})

test('problemWords() tells a lost connection from a bug, and never shows the text of a bug', () => {
  expect(problemWords(new ApiUnreachable('No answer.', { cause: undefined })).title).toBe('No connection')
  expect(problemWords(new TypeError('x is undefined')).detail).not.toContain('undefined')
})

test('problemWords() tells what a task failed of', () => {
  expect(problemWords(new TaskFailed('There is no browser to print with.')).detail).toBe(
    'There is no browser to print with.',
  )
})

test('fieldMessages() puts the message of an item at its field', () => {
  expect(fieldMessages(invalid)).toEqual({ name: 'Too short', tags: 'Too long', 'tags.2': 'Too long' })
  expect(fieldMessages(new Error('x'))).toEqual({})
})
