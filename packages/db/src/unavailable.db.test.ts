import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { DatabaseUnavailable } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { apiTokenProofs } from './stores/api-token-proofs.ts'
import { membershipStore } from './stores/membership-store.ts'
import { testCaller } from './testing.ts'

const began = () => Promise.reject(new Error('It began'))

test('where no database answers, nothing was begun, and that is what callers hear', async () => {
  // A port that was free a moment ago.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const url = `postgresql://somebody:secret@127.0.0.1:${port}/nothing`
  const log = { info: () => undefined, error: () => undefined }
  const database = openDatabase({ appUrl: url, authUrl: url, poolSize: 1, log })
  const caller = testCaller('usr_1', {}, 'read')
  try {
    await expect(database.asCaller(caller, began)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(database.asCallerSql(caller, began)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(database.asAuth(began)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(membershipStore(database).rolesOf('usr_1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    // Whoever shows an API token may try again, too.
    const { findApiToken } = apiTokenProofs(database)
    await expect(findApiToken('hash')).rejects.toBeInstanceOf(DatabaseUnavailable)
  } finally {
    await database.close()
  }
})
