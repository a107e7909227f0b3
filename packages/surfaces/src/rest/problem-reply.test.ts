import { Problem } from '@flamegate/contract'
import { DatabaseUnavailable, NotPermitted } from '@flamegate/operations/ports'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { problemHandler } from './problem-reply.ts'

test.each([
  ['a database that is away', new DatabaseUnavailable('away'), 503, 'unavailable', '2'],
  ['a right that is missing', new NotPermitted(), 403, 'insufficient_role', undefined],
  ['a refusal', new Problem('run_not_found', 'There is no such run.'), 404, 'run_not_found', undefined],
  ['a defect', new TypeError('It fell over'), 500, 'internal', undefined],
])('%s, met before any operation, is told as what it is', async (_, thrown, status, code, retryAfter) => {
  const app = fastify()
  app.setErrorHandler(problemHandler('/docs'))
  app.get('/', () => Promise.reject(thrown))
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ code, status })
  expect(answer.headers['retry-after']).toBe(retryAfter)
  expect(answer.body).not.toContain('fell over')
})
