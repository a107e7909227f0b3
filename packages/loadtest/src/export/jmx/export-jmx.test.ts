import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importJmx } from '../../import/jmx/import-jmx.ts'
import { httpServer, type HttpServer } from '../../model/http-server.ts'
import { templateParts } from '../../model/template-parts.ts'
import { literal } from '../../model/template.ts'
import { variable } from '../../model/variable.ts'
import { virtualUser, type VirtualUser } from '../../model/virtual-user.ts'
import { arbitraryVirtualUser } from '../../testing/arbitrary-virtual-user.ts'
import { importText } from '../../testing/import-context.ts'
import { exportJmx } from './export-jmx.ts'

const servers = new Map<string, HttpServer>([
  ['srv_a', httpServer.parse({ name: 'Shop', base_url: 'https://shop.example.com' })],
  ['srv_b', httpServer.parse({ name: 'Pay', base_url: 'http://pay.example.com:8080' })],
])

/** Characters that XML can hold, with those that mean something to XML, JMeter and JEXL. */
const characters = fc.constantFrom(...Array.from('abc $\\,;"\'<>&(){}|[]#%+=?\t\né€😀$\\{'))
const text = fc.string({ unit: characters, maxLength: 10 })
const trimmed = text.map((value) => value.trim())
const word = fc.stringMatching(/^[a-z]{1,6}$/)
const use = word.map((name) => `\${${name}}`)
/** A template as it is written when it is taken apart and put together again. */
const template = fc.array(fc.oneof(text, use), { maxLength: 4 }).map((pieces) => canonical(pieces.join('')))
const canonical = (written: string) =>
  templateParts(written)
    .map((part) => (typeof part === 'string' ? literal(part) : `\${${part.name}}`))
    .join('')
const id = fc.constant('x')
const common = { id, name: text, comment: word, enabled: fc.boolean() }
const fields = fc.array(fc.record({ name: word, value: template }), { maxLength: 3 })
const header = fc.record({
  name: fc.stringMatching(/^X-[A-Z]{1,4}$/),
  value: template.map((value) => value.trim()),
})
const match = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constantFrom('random', 'all'))
const pattern = fc.constantFrom('token="(.+?)"', String.raw`\d{2,4}\$(a|b)`, '(<a>)', 'x')
const flags = fc.constantFrom('', 'i', 'ms', 'ims')
const taken = {
  id,
  variable: word,
  match,
  default: fc.constantFrom(null, '', 'none', '${other}'),
  enabled: fc.boolean(),
}
/** JMeter does not tell an empty default from none here. */
const plainTaken = { ...taken, default: fc.constantFrom(null, 'none') }
const part = fc.constantFrom('body', 'headers', 'url')

const extractor = fc.oneof(
  fc.record({ type: fc.constant('regex'), ...taken, pattern, flags, group: fc.nat(9), part }),
  fc.record({ type: fc.constant('boundaries'), ...taken, left: text, right: text, part }),
  fc.record({
    type: fc.constant('css'),
    ...taken,
    selector: fc.constantFrom('input[name=csrf]', 'a.next'),
    attribute: fc.constantFrom(null, 'value'),
  }),
  fc.record({
    type: fc.constant('json_path'),
    ...plainTaken,
    path: fc.constantFrom('$.id', "$['a b'][0]", '$..x'),
  }),
  fc.record({
    type: fc.constant('xpath'),
    ...plainTaken,
    expression: fc.constantFrom('//a/@href', 'string(//b)'),
  }),
  fc.record({ type: fc.constant('header'), ...taken, name: fc.constantFrom('Location', 'X-Trace.Id') }),
  fc.record({ type: fc.constant('cookie'), ...taken, name: fc.constantFrom('sid', 'a$b') }),
)

const asked = { id, negate: fc.boolean(), enabled: fc.boolean() }
const message = fc.constantFrom(null, 'It must be so')
const assertion = fc.oneof(
  fc.record({
    type: fc.constant('status'),
    ...asked,
    message,
    allowed: fc.uniqueArray(fc.constantFrom('200', '201', '404', '3xx', '5xx'), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ type: fc.constant('body_contains'), ...asked, message, text: template }),
  fc.record({ type: fc.constant('body_equals'), ...asked, message, text: template }),
  fc.record({ type: fc.constant('body_matches'), ...asked, message, pattern, flags }),
  fc.record({
    type: fc.constant('json_path'),
    ...asked,
    path: fc.constant('$.a'),
    equals: fc.option(template),
  }),
  fc.record({ type: fc.constant('xpath'), ...asked, expression: fc.constant('//a') }),
  fc.record({
    type: fc.constant('header'),
    ...asked,
    message,
    name: fc.constantFrom('Location', 'X.Y'),
    comparison: fc.constantFrom('equals', 'contains'),
    value: fc.constantFrom('/next?a=(1)', 'a.b', '*'),
  }),
  fc.record({
    type: fc.constant('header'),
    ...asked,
    message,
    name: word,
    comparison: fc.constant('exists'),
  }),
  fc.record({ type: fc.constant('size'), ...asked, negate: fc.constant(false), max_bytes: fc.nat(1e6) }),
  fc.nat(1e6).chain((bytes) =>
    fc.record({
      type: fc.constant('size'),
      ...asked,
      min_bytes: fc.constant(bytes),
      max_bytes: fc.constant(bytes),
    }),
  ),
  fc.record({
    type: fc.constant('duration'),
    ...asked,
    negate: fc.constant(false),
    max_ms: fc.integer({ min: 1, max: 9e5 }),
  }),
)

const bodyText = template.filter((value) => value !== '')
const type = fc.constantFrom('text/plain', 'application/xml')
/** Of a project file: those have an ending of a type that is kept. */
const storedPath = fc.stringMatching(/^[a-z]{1,8}\.(?:csv|bin|txt)$/)

const filePart = fc.record({
  type: fc.constant('file'),
  name: word,
  path: storedPath,
  content_type: fc.constantFrom('image/png'),
})
const fieldPart = fc.record({
  type: fc.constant('field'),
  name: word,
  value: template,
  content_type: fc.constantFrom(null, 'text/csv'),
})
const body = fc.oneof(
  fc.constant(null),
  fc.record({ type: fc.constant('raw'), text: bodyText, content_type: fc.option(type) }),
  fc.record({ type: fc.constant('json'), text: bodyText }),
  fc.record({
    type: fc.constant('form'),
    fields: fc.array(
      fieldPart.map(({ name, value }) => ({ name, value })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc
    .tuple(fc.array(fieldPart, { maxLength: 2 }), fc.array(filePart, { minLength: 1, maxLength: 2 }))
    .map(([first, files]) => ({ type: 'multipart', parts: [...first, ...files] })),
  fc.record({ type: fc.constant('file'), path: storedPath, content_type: type }),
)

const path = fc
  .array(fc.oneof(fc.stringMatching(/^[a-zA-Z0-9._~-]{1,6}$/), use), { maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`)
const shared = {
  type: fc.constant('http_request'),
  ...common,
  server_id: fc.constantFrom('srv_a', 'srv_b'),
  path,
  query: fields,
  headers: fc.uniqueArray(header, { maxLength: 3, selector: ({ name }) => name }),
  redirects: fc.record({ follow: fc.boolean() }),
  timeout_ms: fc.option(fc.integer({ min: 1, max: 1e6 })),
  resources: fc.constantFrom({}, { mode: 'parsed', parallel: 1 }, { mode: 'parsed', parallel: 8 }),
  extractors: fc.array(extractor, { maxLength: 3 }),
  assertions: fc.array(assertion, { maxLength: 3 }),
}
const request = fc.oneof(
  fc.record({ ...shared, method: fc.constantFrom('GET', 'DELETE', 'OPTIONS', 'HEAD') }),
  fc.record({ ...shared, method: fc.constantFrom('POST', 'PUT', 'PATCH'), body }),
)

const ms = fc.nat(60_000)
const duration = fc.oneof(
  fc.record({ distribution: fc.constant('constant'), ms }),
  fc
    .tuple(fc.nat(20_000), fc.nat(20_000))
    .map(([min, more]) => ({ distribution: 'uniform', min_ms: min, max_ms: min + more })),
  fc.record({ distribution: fc.constant('gaussian'), mean_ms: ms, deviation_ms: ms }),
)
const comparison = fc.oneof(
  fc.record({
    left: template,
    operator: fc.constantFrom('equals', 'not_equals', 'contains', 'not_contains', 'matches'),
    right: template,
  }),
  fc.record({
    left: use,
    operator: fc.constantFrom('less', 'less_or_equal', 'greater', 'greater_or_equal'),
    right: fc.constantFrom('10', '-1.5', '${b}'),
  }),
  fc.record({ left: template, operator: fc.constantFrom('empty', 'not_empty') }),
)
const condition = fc
  .record({
    combine: fc.constantFrom('all', 'any'),
    comparisons: fc.array(comparison, { minLength: 1, maxLength: 3 }),
  })
  .map((all) => (all.comparisons.length === 1 ? { ...all, combine: 'all' } : all))

const leaf = fc.oneof(
  request,
  fc.record({ type: fc.constant('delay'), ...common, duration }),
  fc.record({
    type: fc.constant('pacing'),
    ...common,
    interval: fc.record({ distribution: fc.constant('constant'), ms: fc.integer({ min: 1, max: 600_000 }) }),
  }),
  fc.record({ type: fc.constant('set_variable'), ...common, variable: word, value: template }),
)

const { action } = fc.letrec((tie) => {
  const actions = fc.array(tie('action'), { maxLength: 3 })
  return {
    action: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ type: fc.constant('container'), ...common, actions }),
      fc.record({ type: fc.constant('if'), ...common, condition, actions }),
      fc.record({ type: fc.constant('while'), ...common, condition, actions }),
      fc.record({ type: fc.constant('loop'), ...common, count: fc.constantFrom('3', '${count}'), actions }),
      fc.record({ type: fc.constant('for_each'), ...common, list: word, variable: word, actions }),
      fc.record({ type: fc.constant('once'), ...common, actions }),
      fc.record({
        type: fc.constant('random'),
        ...common,
        choices: fc.array(fc.record({ weight: fc.constantFrom(0, 1), name: text, actions }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    ),
  }
})

const keeps = fc.constantFrom({ keep: false }, { keep: true, clear_each_iteration: false }, { keep: true })

/** Virtual users of what JMeter can say. */
const sayable = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z<&"]{1,20}$/),
    description: trimmed,
    user_agent: fc.constantFrom(null, 'Mozilla/5.0'),
    cookies: keeps,
    cache: keeps,
    actions: fc.array(action, { maxLength: 4 }),
  })
  .map((drawn) => virtualUser.parse(drawn))

const idless = (document: unknown): unknown =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      key === 'id' || key === 'server_id' ? undefined : value,
    ),
  )

async function reimported(document: VirtualUser) {
  const { text: xml } = exportJmx(document, servers, [])
  return importText(importJmx, xml, { thinkTimeMaxMs: 1e9 })
}

test('what JMeter can say is the same when its plan is imported again, but for ids', async () => {
  await fc.assert(
    fc.asyncProperty(sayable, async (document) => {
      const { virtualUsers, report } = await reimported(document)
      expect(idless(virtualUsers[0]?.document)).toEqual(idless(document))
      expect(report.elements.filter(({ outcome }) => outcome === 'dropped')).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('a query beside a body goes on behind one that the path has', async () => {
  const document = shop([
    {
      type: 'http_request',
      method: 'POST',
      server_id: 'srv_a',
      path: '/x?wsdl',
      query: [{ name: 'q', value: '1' }],
      body: { type: 'raw', text: 'a' },
    },
  ])
  const { virtualUsers } = await reimported(document)
  expect(virtualUsers[0]?.document.actions).toMatchObject([
    { path: '/x?wsdl', query: [{ name: 'q', value: '1' }] },
  ])
})

test('a text like a variable in a query beside a body comes back as the text', async () => {
  const document = shop([
    {
      type: 'http_request',
      method: 'POST',
      server_id: 'srv_a',
      path: '/',
      query: [{ name: '$${b}', value: '$${a}' }],
      body: { type: 'form', fields: [{ name: '$${b}', value: '$${a}' }] },
    },
  ])
  const { virtualUsers } = await reimported(document)
  expect(virtualUsers[0]?.document.actions).toMatchObject([
    { query: [{ name: '$${b}', value: '$${a}' }], body: { fields: [{ name: '$${b}', value: '$${a}' }] } },
  ])
})

test('any virtual user becomes a plan that is read again, in which each action is or has a note', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryVirtualUser, async (document) => {
      const { text: xml, notes } = exportJmx(document, servers, [])
      const { virtualUsers } = await importText(importJmx, xml)
      expect(virtualUsers).toHaveLength(1)
      const scripts = JSON.stringify(document).split('"type":"script"').length - 1
      expect(notes.filter(({ text: note }) => note.startsWith('The script'))).toHaveLength(scripts)
    }),
    { numRuns: 50 },
  )
})

const shop = (actions: object[]) =>
  virtualUser.parse({ name: 'Shop', actions: actions.map((each, index) => ({ id: `a${index}`, ...each })) })

test('elements have the classes that JMeter writes, and a hashTree each', () => {
  const { text: xml } = exportJmx(
    shop([{ type: 'http_request', name: 'Home', method: 'GET', server_id: 'srv_a', path: '/' }]),
    servers,
    [],
  )
  expect(
    xml.startsWith(
      '<?xml version="1.0" encoding="UTF-8"?>\n<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">',
    ),
  ).toBe(true)
  expect(xml).toContain(
    '<HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="Home" enabled="true">',
  )
  expect(xml).toContain('<stringProp name="HTTPSampler.domain">shop.example.com</stringProp>')
  expect(xml.match(/<hashTree/g)).toHaveLength(6)
})

test('values of a list are named as JMeter names them', async () => {
  const document = shop([
    {
      type: 'http_request',
      method: 'GET',
      server_id: 'srv_a',
      path: '/items',
      extractors: [{ id: 'e', type: 'json_path', variable: 'items', path: '$[*].id', match: 'all' }],
    },
    {
      type: 'http_request',
      method: 'GET',
      server_id: 'srv_a',
      path: '/items/${items[2]}/of/${items.length}',
    },
  ])
  const { text: xml } = exportJmx(document, servers, [])
  expect(xml).toContain('/items/${items_3}/of/${items_matchNr}')
  const { virtualUsers } = await importText(importJmx, xml)
  expect(idless(virtualUsers[0]?.document)).toEqual(idless(document))
})

const byName = (documents: readonly { name: string }[]) =>
  documents.toSorted((a, b) => a.name.localeCompare(b.name))

test('variables come back as they were, where JMeter has their like', async () => {
  const variables = [
    variable.parse({ type: 'constant', name: 'host', value: 'a ${user} \\ $${x}' }),
    variable.parse({
      type: 'csv',
      name: 'users',
      path: 'users.csv',
      columns: ['user', 'pass'],
      delimiter: ';',
      sharing: 'per_user',
      at_end: 'stop',
    }),
    variable.parse({ type: 'counter', name: 'order', start: 5, end: 99, step: 2, digits: 4 }),
    variable.parse({ type: 'random_number', name: 'dice', min: 1, max: 6 }),
    variable.parse({ type: 'random_text', name: 'code', length: 8, characters: 'ab,()$' }),
    variable.parse({ type: 'uuid', name: 'request', renewed: 'once' }),
    variable.parse({
      type: 'date_time',
      name: 'tomorrow',
      format: 'dd.MM.yyyy, HH:mm',
      offset_ms: 86_400_000,
    }),
  ]
  const { text: xml } = exportJmx(shop([]), servers, variables)
  const { variables: back } = await importText(importJmx, xml)
  expect(byName(back.map(({ document }) => document))).toEqual(byName(variables))
})

test('variables with a new value at each use are functions where they stand', () => {
  const { text: xml } = exportJmx(
    shop([{ type: 'set_variable', variable: 'x', value: 'id-${id}' }]),
    servers,
    [variable.parse({ type: 'uuid', name: 'id', renewed: 'each_use' })],
  )
  expect(xml).toContain('<stringProp name="parameters">id-${__UUID()}</stringProp>')
})

test('what JMeter cannot do is a disabled sampler that does nothing, and a note', () => {
  const actions = [
    { type: 'script', source: 'vars.a = 1' },
    { type: 'websocket', operation: 'close' },
    { type: 'page', steps: [] },
  ]
  const { text: xml, notes } = exportJmx(shop(actions), servers, [])
  expect(xml.match(/<DebugSampler [^>]*enabled="false"/g)).toHaveLength(3)
  expect(xml).toContain('vars.a = 1')
  expect(notes.map(({ actionId }) => actionId)).toEqual(expect.arrayContaining(['a0', 'a1', 'a2']))
})

test('secrets are asked for as properties, and never written', () => {
  const { text: xml, notes } = exportJmx(shop([]), servers, [
    variable.parse({ type: 'secret', name: 'api_token' }),
  ])
  expect(xml).toContain('${__P(api_token,)}')
  expect(notes.map(({ text: note }) => note)).toContain(
    'Give the secret api_token to JMeter with -Japi_token=….',
  )
})
