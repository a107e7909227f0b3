// Turns off one-time codes for somebody who lost their phone and all recovery codes. Make sure that it is them first.
//
//     node apps/platform/src/turn-off-one-time-codes.ts --email ada@example.com
//
// It leaves a line in the log and an event in the audit log, and writes to the owner. Exits with 1 when there is nothing to turn off.
import { parseArgs } from 'node:util'
import { createStores, openDatabase } from '@flamegate/db'
import { openMailer } from '@flamegate/gateway/open-mailer'
import { accountSettings } from '@flamegate/gateway/settings'
import { turnOffOneTimeCodes } from '@flamegate/gateway/turn-off-one-time-codes'
import { ConfigError, createLogger, publicUrlSetting, readConfig } from '@flamegate/runtime'
import { z } from 'zod'
import { platformConfig } from './platform-config.ts'
import { urlInDataDir } from './url-in-data-dir.ts'
import { wordsForOperator } from './words-for-operator.ts'

const settings = z.object({
  ...accountSettings,
  FLAMEGATE_DATABASE_AUTH_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
    .optional()
    .describe('Flamegate’s database as flamegate_auth; the one of FLAMEGATE_DATA_DIR when left out.')
    .meta({ secret: true, kind: 'a postgres:// URL' }),
  FLAMEGATE_DATA_DIR: platformConfig.shape.FLAMEGATE_DATA_DIR,
  DATABASE_URL: platformConfig.shape.DATABASE_URL,
  FLAMEGATE_PUBLIC_URL: publicUrlSetting,
  FLAMEGATE_LOG_FORMAT: platformConfig.shape.FLAMEGATE_LOG_FORMAT,
})

const usage = 'Say whose: --email ada@example.com'

try {
  const email = emailIn(process.argv.slice(2))
  const config = readConfig(settings, process.env)
  const siteUrl = config.FLAMEGATE_PUBLIC_URL
  const authUrl =
    config.FLAMEGATE_DATABASE_AUTH_URL ?? (await urlInDataDir(config, 'auth', 'FLAMEGATE_DATABASE_AUTH_URL'))
  const log = createLogger({ level: 'info', format: config.FLAMEGATE_LOG_FORMAT })
  const database = openDatabase({ appUrl: authUrl, authUrl, poolSize: 1, log })
  const stores = createStores(database)
  const mailer = openMailer(config, siteUrl, log)
  try {
    const outcome = await turnOffOneTimeCodes(email, { identity: stores.identity, mailer, siteUrl, log })
    if (outcome === 'no account') throw new ConfigError(`There is no account with the address ${email}.`)
    if (outcome === 'not in use') throw new ConfigError(`${email} does not use one-time codes.`)
    process.stdout.write(`One-time codes are off for ${email}, who can log in without them now.\n`)
  } finally {
    await mailer.close()
    await stores.close()
    await database.close()
  }
} catch (error) {
  const words = wordsForOperator(error)
  if (words === undefined) throw error
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}

function emailIn(args: string[]): string {
  try {
    const { email } = parseArgs({ args, options: { email: { type: 'string' } } }).values
    if (email) return email
  } catch (cause) {
    throw new ConfigError(usage, { cause })
  }
  throw new ConfigError(usage)
}
