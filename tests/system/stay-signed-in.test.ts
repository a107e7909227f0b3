import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { BrowserlessPerson } from './browserless-person.ts'
import { rpc } from './calls.ts'
import { platform } from './person.ts'
import { TokenClient, tokensSchema } from './token-client.ts'

test('ten refreshes at once, round after round, all succeed with one successor and keep the grant', async () => {
  const { url } = platform()
  const client = new TokenClient(url)
  let tokens = await client.connect(await BrowserlessPerson.signUp(url, 'Hurried'), 'Hurried agent')
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.refresh(tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const renewed = await Promise.all(answers.map(async (answer) => tokensSchema.parse(await answer.json())))
    expect(new Set(renewed.map((each) => each.refresh_token)).size).toBe(1)
    tokens = renewed[round] ?? tokens
    const called = await Promise.all(
      renewed.map(({ access_token }) => rpc('ping', {}, { token: access_token })),
    )
    expect(called.map(({ status }) => status)).toEqual(Array(10).fill(200))
  }
})

const statusOf = async (token: string) => (await rpc('ping', {}, { token })).status

test('what a person narrows counts within a second, and the client stays signed in with less', async () => {
  const { url } = platform()
  const person = await BrowserlessPerson.signUp(url, 'Narrowing')
  const client = new TokenClient(url)
  const before = await client.connect(person, 'Narrowed agent')
  expect(await statusOf(before.access_token)).toBe(200)
  const path = `/auth/connected-apps/${String(decodeJwt(before.access_token)['gid'])}/choices`
  expect((await person.rest('PUT', path, { read_only: true })).status).toBe(204)
  await expect.poll(() => statusOf(before.access_token), { interval: 10 }).toBe(401)
  const renewed = tokensSchema.parse(await (await client.refresh(before.refresh_token)).json())
  expect(decodeJwt(renewed.access_token)['ro']).toBe(true)
  expect(await statusOf(renewed.access_token)).toBe(200)
})
