import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawActions } from '../../testing/draw-actions.ts'
import { importText } from '../../testing/import-context.ts'
import { type Imported, type ImportOptions, SourceError } from '../importer.ts'
import { importWebdriver } from './import-webdriver.ts'

const read = (value: unknown, options: Partial<ImportOptions> = {}): Promise<Imported> =>
  importText(importWebdriver, JSON.stringify(value), options)

const drawn = ({ virtualUsers }: Imported): string[] =>
  virtualUsers.flatMap(({ document }) => drawActions(document.actions))

test('a list of steps is a virtual user', async () => {
  const imported = await read({
    name: 'Log in',
    url: 'https://shop.example.com/app/',
    steps: [
      { action: 'get', target: 'login' },
      { action: 'type', target: 'id=user', value: '${user}' },
      { action: 'clear', target: 'id=q' },
      { action: 'click', target: 'css=button' },
      { action: 'sleep', value: 50 },
      { action: 'back' },
      { action: 'assertText', target: 'css=h1', value: 'Welcome' },
      { action: 'dance' },
    ],
  })
  expect(imported.virtualUsers.map(({ document }) => document.name)).toEqual(['Log in'])
  expect(drawn(imported)).toEqual([
    'page Log in',
    '  goto path=/app/login',
    '  fill css=[id="user"]#0 value=${user}',
    '  fill css=[id="q"]#0',
    '  click css=button#0',
    'delay 50',
    'page Log in',
    '  go to=back',
    '  expect css=h1#0 what=text expected=Welcome',
  ])
  expect(imported.report.elements.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 7 }, () => 'mapped'),
    'dropped',
  ])
})

test.each([
  [
    'with endpoints',
    [
      { method: 'POST', path: '/session', body: { capabilities: {} } },
      { method: 'POST', path: '/session/1/url', body: { url: 'https://shop.example.com/login' } },
      {
        method: 'POST',
        path: '/session/1/element',
        body: { using: 'css selector', value: '#user' },
        response: { value: { 'element-6066-11e4-a52e-4f735466cecf': 'e1' } },
      },
      {
        method: 'POST',
        path: '/session/1/element',
        body: { using: 'link text', value: 'Cart' },
        response: { value: { 'element-6066-11e4-a52e-4f735466cecf': 'e2' } },
      },
      { method: 'POST', path: '/session/1/element/e1/value', body: { text: 'ali${ce}\ue007' } },
      { method: 'POST', path: '/session/1/element/e2/click', body: {} },
      { method: 'GET', path: '/session/1/title' },
      { method: 'DELETE', path: '/session/1' },
    ],
  ],
  [
    'with names of commands',
    [
      { command: 'newSession', parameters: {} },
      { command: 'navigateTo', parameters: { url: 'https://shop.example.com/login' } },
      {
        command: 'findElement',
        parameters: { using: 'css selector', value: '#user' },
        result: { ELEMENT: 'e1' },
      },
      {
        command: 'findElement',
        parameters: { using: 'link text', value: 'Cart' },
        result: { ELEMENT: 'e2' },
      },
      { command: 'elementSendKeys', parameters: { id: 'e1', value: ['ali${ce}', '\ue007'] } },
      { command: 'elementClick', parameters: { id: 'e2' } },
      { command: 'getTitle' },
      { command: 'deleteSession' },
    ],
  ],
])('a log of WebDriver %s is a virtual user, whose texts have no variables', async (_, log) => {
  const imported = await read(log)
  expect(drawn(imported)).toEqual([
    'page WebDriver steps',
    '  goto path=/login',
    '  type_text css=#user#0 value=ali$${ce}',
    '  press css=#user#0 key=Enter',
    "  click xpath=//a[normalize-space(.)='Cart']#0",
  ])
  expect(imported.report.elements.map(({ outcome }) => outcome)).toEqual(
    log.map((_entry, index) => (index === 6 ? 'dropped' : 'mapped')),
  )
})

test('where a log tells no ids, an element is the one that was found last', async () => {
  const imported = await read([
    { command: 'findElement', parameters: { using: 'xpath', value: '//a' } },
    { command: 'elementClick', parameters: { id: 'e9' } },
  ])
  expect(drawn(imported)).toEqual(['page WebDriver steps', '  click xpath=//a#0'])
})

test.each([
  ['{}', /"steps" is missing/],
  ['[]', /There is no step/],
  ['[1]', /^steps\[0\]: This is no object/],
  ['[{"action":"get","target":"/x"}]', /^steps\[0\]: "\/x" is relative/],
  ['[{"action"', /^line 1: It is no JSON/],
])('%s is refused', async (text, message) => {
  await expect(importText(importWebdriver, text)).rejects.toThrow(message)
})

test('whatever is read ends in a result or in a SourceError', async () => {
  const entry = fc.record(
    {
      action: fc.constantFrom('get', 'click', 'type', 'if', 'run', 'constructor', ''),
      command: fc.constantFrom(
        'findElement',
        'elementClick',
        'POST /session/1/url',
        '__proto__',
        'switchToFrame',
      ),
      target: fc.string({ maxLength: 10 }),
      value: fc.jsonValue({ maxDepth: 2 }),
      parameters: fc.jsonValue({ maxDepth: 3 }),
      result: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: [] },
  )
  const text = fc.oneof(
    fc.json(),
    fc.array(entry, { maxLength: 8 }).map((list) => JSON.stringify(list)),
  )
  await fc.assert(
    fc.asyncProperty(text, async (source) => {
      const error: unknown = await importText(importWebdriver, source).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      expect(error === undefined || error instanceof SourceError).toBe(true)
    }),
    { numRuns: 300 },
  )
})
