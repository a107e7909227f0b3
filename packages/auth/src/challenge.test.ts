import { expect, test } from 'vitest'
import { bearerChallenge } from './challenge.ts'

const resourceMetadataUrl = 'https://flamegate.example/.well-known/oauth-protected-resource/mcp'

test('without a credential there is no error, with a wrong one there is', () => {
  expect(
    bearerChallenge({ resourceMetadataUrl, scope: ['read'], description: 'A credential is needed.' }),
  ).toBe(`Bearer scope="read", resource_metadata="${resourceMetadataUrl}"`)
  expect(
    bearerChallenge({ resourceMetadataUrl, error: 'invalid_token', description: 'It has expired.' }),
  ).toBe(
    `Bearer error="invalid_token", error_description="It has expired.", resource_metadata="${resourceMetadataUrl}"`,
  )
})
