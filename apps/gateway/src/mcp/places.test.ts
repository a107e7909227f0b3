import { operations, type Principal } from '@flamegate/contract'
import { beforeEach, expect, test } from 'vitest'
import type { ApiAnswer } from '../api-caller.ts'
import { createPlaces, type CallAs } from './places.ts'

const person: Principal = {
  userId: 'usr_ada',
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  scopes: ['read'],
}
const acme = { workspaceId: 'ws_acme', slug: 'acme', name: 'ACME', role: 'owner' as const }
let places: ReturnType<typeof createPlaces>
let asked: { principal: Principal; operation: string }[]

beforeEach(() => {
  asked = []
  places = createPlaces({ of: () => Promise.resolve([acme]), forget: () => undefined })
})

function apiThat(answer: ApiAnswer): CallAs {
  return (principal, { id }) => {
    asked.push({ principal, operation: id })
    return Promise.resolve(answer)
  }
}

const projects = ['checkout', 'billing'].map((slug) => ({ id: `prj_${slug}`, slug }))
const list = apiThat({
  status: 200,
  body: JSON.stringify({ content: [], structuredContent: { projects, next_cursor: null } }),
})

test('a project is found whichever toolsets were left to the connection', async () => {
  const held = { ...person, toolsets: ['benchmarks' as const] }
  expect(await places.find(held, 'acme', 'checkout', list)).toEqual({
    workspaceId: 'ws_acme',
    projectId: 'prj_checkout',
  })
  expect(asked).toMatchObject([{ operation: operations.listProjects.id, principal: { toolsets: undefined } }])
})

test('a token that is held to one project is moved to no other, though its person was just there', async () => {
  const job = { ...person, projectId: 'prj_checkout' }
  await places.find(person, 'acme', 'billing', list)
  await expect(places.find(job, 'acme', 'billing', list)).rejects.toMatchObject({ code: 'project_not_found' })
  await expect(places.find(job, 'acme', 'checkout', list)).resolves.toMatchObject({
    projectId: 'prj_checkout',
  })
})

test('who calls too much is told so, and when to come again', async () => {
  const refusing = apiThat({ status: 429, body: '{}', callerLimit: 'user' })
  await expect(places.find(person, 'acme', 'checkout', refusing)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
  })
})

test('who may not read is told the scope that it takes', async () => {
  const uploader: Principal = { ...person, scopes: ['upload'] }
  await expect(
    places.find(uploader, 'acme', 'checkout', apiThat({ status: 403, body: '{}' })),
  ).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('an API that does not say it is no project that is not there', async () => {
  await expect(
    places.find(person, 'acme', 'checkout', apiThat({ status: 503, body: '{}' })),
  ).rejects.toMatchObject({ code: 'unavailable' })
})
