import { createLogger, readConfig } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { accountSettings } from './account-settings.ts'
import { openSignIns } from './elsewhere/open-sign-ins.ts'
import { openMailer } from './mail/open-mailer.ts'

const schema = z.object(accountSettings)
const open = (env: Record<string, string>) =>
  openSignIns(readConfig(schema, env)).map(({ id, name, issuer }) => ({ id, name, issuer }))

test('nothing has to be set: mails are logged, and one logs in here', () => {
  const config = readConfig(schema, {})
  const mailer = openMailer(config, 'https://flamegate.example', createLogger({ level: 'silent' }))
  expect(mailer.reachesPeople).toBe(false)
  expect(openSignIns(config)).toEqual([])
})

test('services are named in full or not at all', () => {
  expect(
    open({
      FLAMEGATE_OIDC_ISSUER: 'https://id.example.com/realms/work',
      FLAMEGATE_OIDC_CLIENT_ID: 'a',
      FLAMEGATE_OIDC_CLIENT_SECRET: 'b',
      FLAMEGATE_OIDC_NAME: 'Work',
      FLAMEGATE_GITHUB_CLIENT_ID: 'c',
      FLAMEGATE_GITHUB_CLIENT_SECRET: 'd',
      FLAMEGATE_GOOGLE_CLIENT_ID: 'e',
      FLAMEGATE_GOOGLE_CLIENT_SECRET: 'f',
    }),
  ).toEqual([
    { id: 'oidc', name: 'Work', issuer: 'https://id.example.com/realms/work' },
    { id: 'github', name: 'GitHub', issuer: 'https://github.com/login/oauth' },
    { id: 'google', name: 'Google', issuer: 'https://accounts.google.com' },
  ])
  expect(() => open({ FLAMEGATE_GITHUB_CLIENT_ID: 'c' })).toThrow(
    'FLAMEGATE_GITHUB_CLIENT_SECRET must be set too, beside the others.',
  )
})

test('an issuer without TLS is taken on this very machine only', () => {
  const others = { FLAMEGATE_OIDC_CLIENT_ID: 'a', FLAMEGATE_OIDC_CLIENT_SECRET: 'b' }
  expect(open({ ...others, FLAMEGATE_OIDC_ISSUER: 'http://127.0.0.1:8080' })).toHaveLength(1)
  expect(() => open({ ...others, FLAMEGATE_OIDC_ISSUER: 'http://id.example.com' })).toThrow(
    'It must be https.',
  )
})

test('secrets are not shown when they are wrong', () => {
  expect(() => readConfig(schema, { SMTP_URL: 'http://user:hush@mail.example.com' })).toThrow(
    /^(?!.*hush).*SMTP_URL has a value that does not fit/s,
  )
})
