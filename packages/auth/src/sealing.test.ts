import { expect, test } from 'vitest'
import { createSealing } from './sealing.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

test('what was sealed opens for whom it was sealed, in every process, and for nobody else', async () => {
  const identity = createMemoryIdentity()
  const [one, other] = await Promise.all([createSealing(identity), createSealing(identity)])
  const sealed = one.seal('JBSWY3DPEHPK3PXP', 'usr_ada')
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
  expect(one.seal('JBSWY3DPEHPK3PXP', 'usr_ada')).not.toBe(sealed)
  expect(other.open(sealed, 'usr_ada')).toBe('JBSWY3DPEHPK3PXP')
  expect(() => other.open(sealed, 'usr_bob')).toThrow('unable to authenticate data')
})

test('what was changed does not open', async () => {
  const sealing = await createSealing(createMemoryIdentity())
  const sealed = sealing.seal('secret', 'usr_ada')
  const [id = '', text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (const index of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => sealing.open(`${id}.${changed.toString('base64url')}`, 'usr_ada')).toThrow(
      'unable to authenticate data',
    )
  }
})

test('a rotated key opens what was sealed before, until it is gone', async () => {
  const identity = createMemoryIdentity()
  const sealed = (await createSealing(identity)).seal('secret', 'usr_ada')
  const newer = { id: 'newer', key: Buffer.alloc(32, 7).toString('base64url') }
  await identity.addKey('secret', newer, new Date())
  const after = await createSealing(identity)
  expect(after.seal('secret', 'usr_ada')).toMatch(/^newer\./)
  expect(after.open(sealed, 'usr_ada')).toBe('secret')
  const elsewhere = await createSealing(createMemoryIdentity())
  expect(() => elsewhere.open(sealed, 'usr_ada')).toThrow('The key that sealed this is not there any more')
})
