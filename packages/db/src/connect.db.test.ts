import { expect, test } from 'vitest'
import { openConnection } from './connect.ts'
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
  await expect(client.query('SELECT 1')).rejects.toThrow(/connection/i)
  await client.end()
})
