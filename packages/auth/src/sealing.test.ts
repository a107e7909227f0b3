import { expect, test } from 'vitest'
import { encrypt } from './keys/aes-gcm.ts'
import { createSealing } from './sealing.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

const ofAda = { id: 'usr_ada', workspaceId: null }

test('what was sealed opens for whom it was sealed, in every process, and for nobody else', async () => {
  const identity = createMemoryIdentity()
  const [one, other] = [createSealing(identity), createSealing(identity)]
  const sealed = await one.seal('JBSWY3DPEHPK3PXP', ofAda)
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
  expect(await one.seal('JBSWY3DPEHPK3PXP', ofAda)).not.toBe(sealed)
  expect(await other.open(sealed, 'usr_ada')).toBe('JBSWY3DPEHPK3PXP')
  await expect(other.open(sealed, 'usr_bob')).rejects.toThrow('unable to authenticate data')
})

test('what was changed does not open', async () => {
  const sealing = createSealing(createMemoryIdentity())
  const sealed = await sealing.seal('secret', ofAda)
  const [id = '', text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (const index of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    await expect(sealing.open(`${id}.${changed.toString('base64url')}`, 'usr_ada')).rejects.toThrow(
      'unable to authenticate data',
    )
  }
})

test('each workspace has a key of its own, and people have another', async () => {
  const sealing = createSealing(createMemoryIdentity())
  const sealed = await Promise.all(
    ['ws_a', 'ws_a', 'ws_b', null].map((workspaceId) => sealing.seal('secret', { id: 'x', workspaceId })),
  )
  const keys = sealed.map((each) => each.split('.')[0])
  expect(keys[0]).toBe(keys[1])
  expect(new Set(keys).size).toBe(3)
})

test('what the one key sealed that all had before opens, and new things have a key of their workspace', async () => {
  const identity = createMemoryIdentity()
  const key = Buffer.alloc(32, 7)
  await identity.keys('secret', async () => ({ id: 'common', key: key.toString('base64url') }))
  const sealed = `common.${encrypt(key, Buffer.from('from before'), 'wh_1').toString('base64url')}`
  const sealing = createSealing(identity)
  expect(await sealing.open(sealed, 'wh_1')).toBe('from before')
  expect(await sealing.seal('new', { id: 'wh_1', workspaceId: 'ws_a' })).toMatch(/^dk_/)
})

test('a key that is gone is told, and one that comes back is found', async () => {
  const identity = createMemoryIdentity()
  const sealed = await createSealing(identity).seal('secret', ofAda)
  const elsewhere = createSealing(createMemoryIdentity())
  await expect(elsewhere.open(sealed, 'usr_ada')).rejects.toThrow(
    'The key that sealed this is not there any more',
  )

  let isAway = true
  const sealing = createSealing({
    ...identity,
    dataKeys: {
      ...identity.dataKeys,
      find: (id) => (isAway ? Promise.reject(new Error('away')) : identity.dataKeys.find(id)),
    },
  })
  await expect(sealing.open(sealed, 'usr_ada')).rejects.toThrow('away')
  isAway = false
  expect(await sealing.open(sealed, 'usr_ada')).toBe('secret')
})

test('a key that was replaced seals for a minute more, and opens', async () => {
  let nowMs = 0
  const [first, second] = [createMemoryIdentity(), createMemoryIdentity()]
  const dataKeys = { ...first.dataKeys }
  const sealing = createSealing({ ...first, dataKeys }, () => nowMs)
  const [before] = (await sealing.seal('a', ofAda)).split('.')
  dataKeys.current = async (...args) => ({ ...(await second.dataKeys.current(...args)), id: 'dk_new' })
  expect(await sealing.seal('b', ofAda)).toMatch(new RegExp(`^${before}\\.`))
  nowMs = 60_000
  expect(await sealing.seal('c', ofAda)).toMatch(/^dk_new\./)
})
