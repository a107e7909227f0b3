// Before new processes of a release start: creates roles and database where they are missing, and applies migrations.
// Every `npm start` does this by itself; a set-up of several processes runs this once.
import { z } from 'zod'
import { bootstrapRoles, checkConnections, migrate } from '@flamegate/db'
import { readConfig } from '@flamegate/runtime'
import { wordsForOperator } from './words-for-operator.ts'

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
  .meta({ secret: true, kind: 'a postgres:// URL' })

const settings = z.object({
  FLAMEGATE_DATABASE_ADMIN_URL: postgresUrl.describe(
    'Any database of the server, as somebody who may create roles and databases.',
  ),
  FLAMEGATE_DATABASE_OWNER_URL: postgresUrl.describe(
    'Flamegate’s database as flamegate_owner, who migrates it.',
  ),
  FLAMEGATE_DATABASE_APP_URL: postgresUrl.describe('The same as flamegate_app.'),
  FLAMEGATE_DATABASE_AUTH_URL: postgresUrl.describe('The same as flamegate_auth.'),
  FLAMEGATE_DATABASE_QUEUE_URL: postgresUrl.describe('The same as flamegate_queue.'),
})

try {
  const config = readConfig(settings, process.env)
  const passwords = {
    owner: passwordIn(config.FLAMEGATE_DATABASE_OWNER_URL),
    app: passwordIn(config.FLAMEGATE_DATABASE_APP_URL),
    auth: passwordIn(config.FLAMEGATE_DATABASE_AUTH_URL),
    queue: passwordIn(config.FLAMEGATE_DATABASE_QUEUE_URL),
  }
  const database = decodeURIComponent(new URL(config.FLAMEGATE_DATABASE_OWNER_URL).pathname.slice(1))
  await checkConnections(
    { FLAMEGATE_DATABASE_ADMIN_URL: config.FLAMEGATE_DATABASE_ADMIN_URL },
    { mayBeAdministrator: true },
  )
  await bootstrapRoles(config.FLAMEGATE_DATABASE_ADMIN_URL, passwords, database)
  const applied = await migrate(config.FLAMEGATE_DATABASE_OWNER_URL)
  process.stdout.write(
    `${applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`}\n`,
  )
} catch (error) {
  const words = wordsForOperator(error)
  if (words === undefined) throw error
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}

function passwordIn(url: string): string {
  return decodeURIComponent(new URL(url).password)
}
