import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { buildRequest } from './build-request.ts'

test('buildRequest() puts path parameters into the path, escaped, and the rest of a GET into the query', () => {
  expect(
    buildRequest(operations.listRuns, { repository: 'acme/checkout', branch: 'feat/x y', limit: 5 }),
  ).toEqual({
    method: 'GET',
    target: '/v1/repositories/acme%2Fcheckout/runs?branch=feat%2Fx+y&limit=5',
    body: undefined,
    headers: {},
  })
})

test('buildRequest() leaves undefined out and repeats arrays', () => {
  const route = { id: 'x', http: { method: 'GET', path: '/v1/x' }, pathParameters: [] }
  expect(buildRequest(route, { tags: ['a', 'b'], search: undefined }).target).toBe('/v1/x?tags=a&tags=b')
})

test('buildRequest() sends the rest of a POST as JSON, without the path parameters', () => {
  const request = buildRequest(operations.createProject, { workspace_id: 'ws_1', name: 'Shop', tags: [] })
  expect(request.target).toBe('/v1/workspaces/ws_1/projects')
  expect(JSON.parse(request.body ?? '')).toEqual({ name: 'Shop', tags: [] })
  expect(request.headers).toEqual({ 'content-type': 'application/json' })
})

test('buildRequest() sends DELETE fields in the query', () => {
  const request = buildRequest(operations.deleteProject, { project_id: 'prj_1', confirm: 'Shop & co' })
  expect(request.target).toBe('/v1/projects/prj_1?confirm=Shop+%26+co')
  expect(request.body).toBeUndefined()
})

test('buildRequest() sends if_version as If-Match', () => {
  const request = buildRequest(operations.updateProject, { project_id: 'prj_1', name: 'Shop', if_version: 3 })
  expect(request.headers['if-match']).toBe('"3"')
  expect(JSON.parse(request.body ?? '')).toEqual({ name: 'Shop' })
})

test('buildRequest() refuses a missing path parameter and an object in a query', () => {
  expect(() => buildRequest(operations.getProfile, {})).toThrow(
    new TypeError('get_profile: profile_id is part of the path and needs a value'),
  )
  expect(() => buildRequest(operations.listProjects, { workspace_id: 'ws_1', search: {} })).toThrow(TypeError)
})

test.each(['.', '..'])('buildRequest() lets %j lead to no other route', (profile_id) => {
  expect(() => buildRequest(operations.getProfile, { profile_id })).toThrow(ApiProblem)
})

test.each(['...', '.git', '%2E%2E', '%2e', '../..', 'a/../b', String.raw`..\..`])(
  'buildRequest() keeps %j in its segment, also for those who parse the address',
  (profile_id) => {
    const { target } = buildRequest(operations.getProfile, { profile_id })
    const { pathname } = new URL(`https://flamegate.example${target}`)
    expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', 'profiles', profile_id])
  },
)
