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
