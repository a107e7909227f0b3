import type { ScimPerson } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { patchUser, readUser, userResource } from './scim-user.ts'

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const ada: ScimPerson = {
  userId: 'usr_01',
  userName: 'Ada@example.com',
  email: 'ada@example.com',
  externalId: '00u1',
  displayName: 'Ada Lovelace',
  givenName: 'Ada',
  familyName: 'Lovelace',
  isActive: true,
  isProvisioned: true,
  createdAt: new Date(0),
  updatedAt: new Date(1000),
}

const patched = (...Operations: object[]) => patchUser(ada, { schemas: [patchOp], Operations })

test('a person is told as RFC 7643 writes them; what is not known is left out', () => {
  expect(userResource(ada, 'https://flamegate.example/scim/v2')).toEqual({
    schemas: [core],
    id: 'usr_01',
    externalId: '00u1',
    meta: {
      resourceType: 'User',
      created: '1970-01-01T00:00:00.000Z',
      lastModified: '1970-01-01T00:00:01.000Z',
      location: 'https://flamegate.example/scim/v2/Users/usr_01',
    },
    userName: 'Ada@example.com',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    displayName: 'Ada Lovelace',
    active: true,
    emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  })
  const nameless = { ...ada, externalId: null, displayName: null, givenName: null, familyName: null }
  expect(Object.keys(userResource(nameless, ''))).not.toEqual(
    expect.arrayContaining(['externalId', 'name', 'displayName']),
  )
})

test('what Okta and Microsoft Entra create is read, and the attributes that are not kept are passed over', () => {
  const okta = {
    schemas: [core],
    userName: 'ada@example.com',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: 'Ada@Example.com', type: 'work' }],
    displayName: 'Ada Lovelace',
    locale: 'en-US',
    externalId: '00u1',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const told = {
    email: 'ada@example.com',
    userName: 'ada@example.com',
    externalId: '00u1',
    displayName: 'Ada Lovelace',
    accountName: 'Ada Lovelace',
    givenName: 'Ada',
    familyName: 'Lovelace',
    isActive: true,
  }
  expect(readUser(okta)).toEqual(told)
  const entra = {
    schemas: [core, enterprise],
    externalId: '00u1',
    userName: 'ada@example.com',
    active: 'True',
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: 'ada@example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    roles: [],
    [enterprise]: { department: 'Engines', manager: { value: 'x' } },
  }
  expect(readUser(entra)).toEqual(told)
})

const emailOf = (...emails: object[]) => readUser({ userName: 'Ada@upn.example', emails }).email

test('the address is the primary one, else that of work, else the user name', () => {
  expect(emailOf({ value: 'home@x.example', type: 'home' }, { value: 'Work@x.example', type: 'work' })).toBe(
    'work@x.example',
  )
  expect(emailOf({ value: 'work@x.example', type: 'work' }, { value: 'p@x.example', primary: true })).toBe(
    'p@x.example',
  )
  expect(emailOf({ value: 'only@x.example' })).toBe('only@x.example')
  expect(emailOf()).toBe('ada@upn.example')
})

test.each([
  ['Okta', { op: 'replace', value: { active: false } }],
  ['Entra', { op: 'Replace', path: 'active', value: 'False' }],
  ['Entra that keeps to the specification', { op: 'replace', path: 'active', value: false }],
  ['with the schema in front', { op: 'Replace', path: `${core}:active`, value: false }],
  ['in any case', { op: 'REPLACE', value: { Active: 'false' } }],
])('%s deactivates', async (_who, operation) => {
  expect(await patched(operation)).toMatchObject({
    isActive: false,
    userName: ada.userName,
    externalId: '00u1',
  })
})

test('a patch changes what it names, and leaves the rest', async () => {
  const told = await patched(
    { op: 'Replace', path: 'name.givenName', value: 'Augusta' },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'a.king@example.com' },
    { op: 'Replace', value: { 'name.familyName': 'King', userName: 'augusta@example.com' } },
    { op: 'remove', path: 'displayName' },
    { op: 'Add', path: 'externalId', value: '00u2' },
  )
  expect(told).toMatchObject({
    userName: 'augusta@example.com',
    givenName: 'Augusta',
    familyName: 'King',
    displayName: null,
    externalId: '00u2',
    isActive: true,
  })
})

test('operations about attributes that are not kept change nothing', async () => {
  const { accountName: _account, ...told } = await patched(
    { op: 'Add', path: `${enterprise}:department`, value: 'Engines' },
    { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'London' },
    { op: 'Replace', value: { title: 'Countess', [`${enterprise}:costCenter`]: '1' } },
    { op: 'replace', path: 'id', value: 'usr_02' },
  )
  expect(told).toEqual({
    userName: ada.userName,
    email: ada.email,
    externalId: '00u1',
    displayName: 'Ada Lovelace',
    givenName: 'Ada',
    familyName: 'Lovelace',
    isActive: true,
  })
})

test.each([
  [undefined, 'invalidSyntax'],
  [[], 'invalidSyntax'],
  [{}, 'invalidValue'],
  [{ userName: '' }, 'invalidValue'],
  [{ userName: 5 }, 'invalidValue'],
  [{ userName: 'ada', active: 'perhaps' }, 'invalidValue'],
  [{ userName: 'ada', emails: 'ada@example.com' }, 'invalidValue'],
  [{ userName: 'a\u0000da' }, 'invalidValue'],
  [{ userName: 'a'.repeat(257) }, 'invalidValue'],
])('%j is no person', (body, scimType) => {
  expect(() => readUser(body)).toThrow(expect.objectContaining({ status: 400, scimType }))
})

test.each([
  [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
  [{ op: 'replace', path: 'name.nothing', value: 'x' }, 'invalidPath'],
  [{ op: 'replace', path: 'name[givenName eq "a"]', value: 'x' }, 'invalidPath'],
  [{ op: 'replace', value: 'x' }, 'invalidValue'],
  [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
  [{ op: 'turn', path: 'active', value: false }, 'invalidSyntax'],
  [{ path: 'active', value: false }, 'invalidSyntax'],
])('%j is no patch', async (operation, scimType) => {
  await expect(patched(operation)).rejects.toMatchObject({ status: 400, scimType })
})

test('a patch says that it is one', async () => {
  const Operations = [{ op: 'replace', path: 'active', value: false }]
  for (const body of [
    { Operations },
    { schemas: [core], Operations },
    { schemas: [patchOp], Operations: [] },
    null,
  ])
    await expect(patchUser(ada, body)).rejects.toMatchObject({ status: 400, scimType: 'invalidSyntax' })
})
