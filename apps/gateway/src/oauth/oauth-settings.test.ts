import { expect, test } from 'vitest'
import { z } from 'zod'
import { oauthSettings } from './oauth-settings.ts'

const settings = z.object(oauthSettings)

test('access tokens last ten minutes unless told otherwise', () => {
  expect(settings.parse({})).toMatchObject({ FLAMEGATE_ACCESS_TOKEN_SECONDS: 600 })
  expect(settings.parse({ FLAMEGATE_ACCESS_TOKEN_SECONDS: '20' })).toMatchObject({
    FLAMEGATE_ACCESS_TOKEN_SECONDS: 20,
  })
})

test.each(['19', '601', '30.5', 'long'])('a lifetime of %s is refused', (text) => {
  expect(settings.safeParse({ FLAMEGATE_ACCESS_TOKEN_SECONDS: text }).success).toBe(false)
})
