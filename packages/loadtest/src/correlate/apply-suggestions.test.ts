import { expect, test } from 'vitest'
import { virtualUser } from '../model/virtual-user.ts'
import { applyPatch, inversePatch } from '../patch/apply-patch.ts'
import { exchangeOf, ids, recordingOf, type ShortExchange, userOf } from '../testing/short-exchanges.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { suggestCorrelations } from './suggest-correlations.ts'
import { textSlots } from './text-slots.ts'

const shop = 'https://shop.example.com'
const state = 'Zm9v+YmFy/cXV4=='

async function correlated(short: ShortExchange[]) {
  const exchanges = short.map(exchangeOf)
  const document = userOf(exchanges)
  const { suggestions } = await suggestCorrelations(document, recordingOf(exchanges))
  return { before: document, ...applySuggestions(document, suggestions, { newId: ids() }) }
}

const texts = (document: Parameters<typeof textSlots>[0]) =>
  textSlots(document).map(({ action, target, text }) => `${action.id} ${target} ${text}`)

test('a value is taken from its answer and sent wherever it was, in each form, and never before', async () => {
  const { document } = await correlated([
    { request: `GET ${shop}/start`, headers: { 'X-State': 'none' } },
    { request: `GET ${shop}/login`, answer: `<input type="hidden" name="state" value="${state}">` },
    {
      request: `POST ${shop}/login?state=${encodeURIComponent(state)}`,
      headers: { 'X-State': state },
      body: `{"state":"${state}","next":"/cb?state=${encodeURIComponent(state)}"}`,
    },
    { request: `GET ${shop}/states/${encodeURIComponent(state)}/x` },
  ])
  expect(texts(document)).toEqual([
    'r0 path /start',
    'r0 header none',
    'r1 path /login',
    'r2 path /login',
    'r2 query ${state}',
    'r2 header ${state}',
    'r2 body {"state":"${state}","next":"/cb?state=${state_url}"}',
    'r3 path /states/${state_url}/x',
  ])
  expect(document.actions.map(({ id, type }) => `${id} ${type}`)).toEqual([
    'r0 http_request',
    'r1 http_request',
    'x2 script',
    'r2 http_request',
    'r3 http_request',
  ])
  expect(document.actions[1]).toMatchObject({
    extractors: [{ type: 'css', variable: 'state', selector: 'input[name="state"]', attribute: 'value' }],
  })
  expect(document.actions[2]).toMatchObject({
    source: `{
  const [value] = [vars.get('state')].flat()
  if (value !== undefined) vars.set('state_url', encodeURIComponent(value))
}
`,
  })
})

test('what is done is one patch, and its inverse undoes all of it', async () => {
  const {
    before: document,
    patch,
    ...after
  } = await correlated([
    {
      request: `GET ${shop}/a`,
      answer: `<script>token = "a1b2c3d4e5f6\\/7"; other = "99f8e7d6c5b4a3"</script>`,
    },
    { request: `POST ${shop}/b`, body: 'token=a1b2c3d4e5f6%2F7&other=99f8e7d6c5b4a3' },
  ])
  expect(after.applied.map(({ variable }) => variable).toSorted()).toEqual(['other', 'token'])
  const before = structuredClone(document)
  const patched = applyPatch(document, patch)
  expect(patched.document).not.toEqual(before)
  expect(virtualUser.parse(applyPatch(patched.document, inversePatch(before, patch)).document)).toEqual(
    before,
  )
})
