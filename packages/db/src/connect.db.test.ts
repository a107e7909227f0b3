import { expect, test } from 'vitest'
import { openConnection } from './connect.ts'
import { whyBrokenOff } from './database-errors.ts'
import { prepareStores } from './testing.ts'

const at = prepareStores()

test('a connection that breaks is told by the next query, and ends no process', async () => {
  const client = await openConnection(at.urls.ownerUrl, 'flamegate fragile')
  const broken = new Promise((resolve) => client.once('end', resolve))
  await at.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'flamegate fragile' AND datname = current_database()`,
  )
  await broken
  const failure: unknown = await client.query('SELECT 1').catch((error: unknown) => error)
  expect(whyBrokenOff(failure)).toMatch(/connection/i)
  await client.end()
})

test('a server that is not there broke it off, and a wrong statement did not', async () => {
  const nowhere = await openConnection('postgresql://x:hush@127.0.0.1:1/x', 'nobody').catch(
    (error: unknown) => error,
  )
  expect(whyBrokenOff(nowhere)).toContain('ECONNREFUSED')
  expect(whyBrokenOff(await at.admin.query('SELEC').catch((error: unknown) => error))).toBeUndefined()
})
