import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawActions } from '../../testing/draw-actions.ts'
import { importContext, importText } from '../../testing/import-context.ts'
import { type Imported, type ImportOptions, SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importSide } from './import-side.ts'

type Line = [command: string, target?: string, value?: string]

const commandsOf = (lines: readonly Line[]) =>
  lines.map(([command, target = '', value = '']) => ({ id: 'x', comment: '', command, target, value }))

/** A project of which each test is a list of lines. */
const project = (tests: Record<string, readonly Line[]>, more: object = {}): string =>
  JSON.stringify({
    name: 'Shop',
    url: 'https://shop.example.com/app/',
    tests: Object.entries(tests).map(([name, lines]) => ({
      id: `id of ${name}`,
      name,
      commands: commandsOf(lines),
    })),
    suites: [],
    ...more,
  })

const read = (lines: readonly Line[], options: Partial<ImportOptions> = {}): Promise<Imported> =>
  importText(importSide, project({ one: lines }), options)

const drawn = ({ virtualUsers }: Imported): string[] =>
  virtualUsers.flatMap(({ document }) => drawActions(document.actions))

const toldOf = ({ report }: Imported): string[] =>
  report.elements.slice(1).map(({ outcome, note }) => [outcome, note].filter(Boolean).join(': '))

test.each<[Line, string]>([
  [['open', '/login?x=1'], 'goto path=/login?x=1'],
  [['open', 'cart'], 'goto path=/app/cart'],
  [['open', 'https://other.example.com/x/${id}'], 'goto path=/x/${id}'],
  [['click', 'id=a'], 'click css=[id="a"]#0'],
  [['click', 'name=q"x'], String.raw`click css=[name="q\"x"]#0`],
  [
    ['click', 'linkText=Bob\'s "cart"'],
    `click xpath=//a[normalize-space(.)=concat('Bob', "'", 's "cart"')]#0`,
  ],
  [['click', 'partialLinkText=cart'], "click xpath=//a[contains(normalize-space(.), 'cart')]#0"],
  [['click', '//a[1]'], 'click xpath=//a[1]#0'],
  [['doubleClick', 'css=.a'], 'click css=.a#0 count=2'],
  [['type', 'id=a', 'x ${user}'], 'fill css=[id="a"]#0 value=x ${user}'],
  [['type', 'id=a', String.raw`C:\fakepath\photo.png`], 'set_files css=[id="a"]#0 paths=photo.png'],
  [['sendKeys', 'id=a', '${KEY_ENTER}'], 'press css=[id="a"]#0 key=Enter'],
  [['select', 'id=a', 'label=Two'], 'select css=[id="a"]#0 values=Two'],
  [['uncheck', 'id=a'], 'check css=[id="a"]#0'],
  [['mouseOver', 'id=a'], 'hover css=[id="a"]#0'],
  [['assertText', 'id=a', String.raw`x\ny`], 'expect css=[id="a"]#0 what=text expected=x\ny'],
  [['verifyNotText', 'id=a', 'x'], 'expect css=[id="a"]#0 what=text expected=x negate=true'],
  [['assertTitle', 'Shop'], 'expect what=title expected=Shop'],
  [['assertElementPresent', 'id=a'], 'expect css=[id="a"]#0 what=count expected=1'],
  [['assertElementNotPresent', 'id=a'], 'expect css=[id="a"] what=count expected=0'],
  [['assertNotChecked', 'id=a'], 'expect css=[id="a"]#0 what=checked negate=true'],
  [
    ['assertSelectedLabel', 'id=a', 'Two'],
    'expect css=[id="a"]#0 > css=option:checked#0 what=text expected=Two',
  ],
  [['waitForElementVisible', 'id=a', '500'], 'wait_for css=[id="a"]#0 timeout_ms=500'],
  [['waitForElementNotPresent', 'id=a', '500'], 'wait_for css=[id="a"] state=detached timeout_ms=500'],
  [['storeText', 'id=a', 'total'], 'extract css=[id="a"]#0 variable=total'],
  [['storeAttribute', 'id=a@href', 'to'], 'extract css=[id="a"]#0 attribute=href variable=to'],
])('%j is a step', async (line, step) => {
  const imported = await read([line])
  expect(drawn(imported)).toEqual(['page one', `  ${step}`])
  expect(countOutcomes(imported.report).dropped).toBe(0)
})

test('keys among text are pressed where they stand', async () => {
  expect(drawn(await read([['sendKeys', 'id=a', 'fish${KEY_CTRL}ac${KEY_TAB}']]))).toEqual([
    'page one',
    '  type_text css=[id="a"]#0 value=fish',
    '  press css=[id="a"]#0 key=Control+a',
    '  press css=[id="a"]#0 key=Control+c',
    '  press css=[id="a"]#0 key=Control+Tab',
  ])
})

test('control flow becomes actions with others inside', async () => {
  const imported = await read([
    ['store', '1', 'count'],
    ['if', '${count} === 1 && ${user} != "bob"'],
    ['click', 'id=a'],
    ['elseIf', '${count} > 2 || ${user}'],
    ['click', 'id=b'],
    ['else'],
    ['click', 'id=c'],
    ['end'],
    ['while', '${count} < 3'],
    ['times', '${count}'],
    ['click', 'id=d'],
    ['end'],
    ['end'],
    ['forEach', 'items', 'item'],
    ['pause', '100'],
    ['end'],
    ['do'],
    ['click', 'id=e'],
    ['repeatIf', '${count} == 4'],
    ['assert', 'count', '4'],
  ])
  expect(drawn(imported)).toEqual([
    'set count = 1',
    'if ${count} equals 1 and ${user} not_equals bob',
    '  page if',
    '    click css=[id="a"]#0',
    'else',
    '  if ${count} greater 2 or ${user} not_empty',
    '    page if',
    '      click css=[id="b"]#0',
    '  else',
    '    page if',
    '      click css=[id="c"]#0',
    'while ${count} less 3',
    '  loop ${count}',
    '    page times',
    '      click css=[id="d"]#0',
    'for each item of items',
    '  delay 100',
    'set first_time = yes',
    'while ${first_time} equals yes or ${count} equals 4',
    '  set first_time = no',
    '  page do',
    '    click css=[id="e"]#0',
    'script count is 4',
  ])
  expect(countOutcomes(imported.report)).toEqual({ read: 21, mapped: 20, approximated: 1, dropped: 0 })
})

test('a block whose condition cannot be read is dropped with all that is in it', async () => {
  const imported = await read([
    ['if', '${a}.includes("b")'],
    ['times', '2'],
    ['click', 'id=a'],
    ['end'],
    ['end'],
    ['click', 'id=b'],
    ['end'],
  ])
  expect(drawn(imported)).toEqual(['page one', '  click css=[id="b"]#0'])
  expect(
    imported.report.elements.map(({ place, outcome }) => `${place.split('.').at(-1)} ${outcome}`),
  ).toEqual([
    'tests[0] mapped',
    'commands[0] dropped',
    'commands[1] dropped',
    'commands[2] dropped',
    'commands[3] dropped',
    'commands[4] dropped',
    'commands[5] mapped',
    'commands[6] dropped',
  ])
})

test('tests that others run are put there, and are told of once', async () => {
  const imported = await importText(
    importSide,
    project({
      buys: [
        ['run', 'login'],
        ['click', 'id=buy'],
      ],
      login: [
        ['open', '/login'],
        ['pause', '5'],
        ['echo', 'x'],
      ],
    }),
  )
  expect(drawn(imported)).toEqual([
    'container login',
    '  page login',
    '    goto path=/login',
    '  delay 5',
    'page buys',
    '  click css=[id="buy"]#0',
    'page login',
    '  goto path=/login',
    'delay 5',
  ])
  expect(imported.report.elements).toHaveLength(7)
})

test('tests that run each other in a circle are told of', async () => {
  const text = project({ a: [['run', 'b']], b: [['run', 'a']] })
  const imported = await importText(importSide, text)
  expect(imported.report.elements.filter(({ kind }) => kind === 'command').map(({ note }) => note)).toEqual([
    'Nothing of the test that it runs could be imported.',
    'Nothing of the test that it runs could be imported.',
  ])
})

test('frames and windows are those that were chosen last', async () => {
  const text = JSON.stringify({
    url: 'https://shop.example.com',
    tests: [
      {
        name: 'one',
        commands: [
          ...commandsOf([
            ['selectFrame', 'index=1'],
            ['selectFrame', 'id=pay'],
            ['click', 'id=a'],
            ['selectFrame', 'relative=parent'],
            ['click', 'id=b'],
            ['selectFrame', 'relative=top'],
            ['storeWindowHandle', 'root'],
          ]),
          { command: 'click', target: 'id=c', value: '', opensWindow: true, windowHandleName: 'win1' },
          ...commandsOf([
            ['selectWindow', 'handle=${win1}'],
            ['click', 'id=d'],
            ['selectWindow', 'handle=${root}'],
            ['click', 'id=e'],
            ['selectWindow', 'name=x'],
          ]),
        ],
      },
    ],
  })
  const imported = await importText(importSide, text)
  expect(drawn(imported)).toEqual([
    'page one',
    '  click {iframe, frame >> nth=1} {[id="pay"] >> nth=0} css=[id="a"]#0',
    '  click {iframe, frame >> nth=1} css=[id="b"]#0',
    '  click css=[id="c"]#0',
    '  use_page',
    '  click css=[id="d"]#0',
    '  use_page page=0',
    '  click css=[id="e"]#0',
  ])
  expect(imported.report.elements.at(-1)).toMatchObject({ outcome: 'dropped', name: 'selectWindow name=x' })
})

test('scripts are not run; one that only gives a text sets a variable', async () => {
  const imported = await read([
    ['executeScript', 'return "sync";', 'x'],
    ['executeScript', 'return document.title', 'y'],
    ['executeAsyncScript', 'return 1', 'z'],
    ['runScript', 'alert(1)'],
    ['acceptAlert'],
    ['constructor'],
    ['//click', 'id=a'],
  ])
  expect(drawn(imported)).toEqual(['set x = sync', 'page one', '  click css=[id="a"]#0 (off)'])
  expect(toldOf(imported)).toEqual([
    'mapped',
    ...Array.from({ length: 3 }, () => expect.stringContaining('dropped: Scripts are not run in pages')),
    expect.stringContaining('dropped: Dialogs of a page'),
    'dropped: There is no step for this command.',
    'mapped',
  ])
})

test('suites are tags of their tests, and told of in the notes', async () => {
  const suites = [{ name: 'Checks', parallel: true, persistSession: false, tests: ['id of b', 'id of a'] }]
  const imported = await importText(
    importSide,
    project({ a: [['open', '/']], b: [['open', '/']], c: [['open', '/']] }, { suites }),
  )
  expect(imported.virtualUsers.map(({ document }) => document.tags)).toEqual([['Checks'], ['Checks'], []])
  expect(imported.report.notes).toEqual(['Suite "Checks": b, a.'])
  expect(imported.report.elements.at(-1)).toMatchObject({ kind: 'suite', outcome: 'approximated' })
})

test('remarks are kept with the action', async () => {
  const text = project({ one: [['open', '/']] }).replaceAll('"comment":""', '"comment":"Look"')
  const { virtualUsers } = await importText(importSide, text)
  expect(virtualUsers[0]!.document.actions[0]!.comment).toBe('Look')
})

test('without a browser only pages that are opened and pauses are left', async () => {
  const imported = await read(
    [
      ['open', '/'],
      ['click', 'id=a'],
      ['pause', '7'],
    ],
    { browser: 'http' },
  )
  expect(drawn(imported)).toEqual(['GET /', 'delay 7'])
  expect(countOutcomes(imported.report).dropped).toBe(1)
})

test('hosts that are not verified are kept, but disabled', async () => {
  const imported = await importText(
    importSide,
    project({ one: [['open', '/']] }),
    {},
    importContext({ isVerified: () => false }),
  )
  expect(drawn(imported)).toEqual(['page one', '  goto path=/ (off)'])
  expect(imported.report.elements[1]!.note).toContain('shop.example.com is no verified target')
})

const doubling = Object.fromEntries(
  Array.from({ length: 45 }, (_, index): [string, Line[]] => [
    `t${index}`,
    [['run', `t${index + 1}`], ['run', `t${index + 1}`], ['echo']],
  ]),
)
test.each([
  ['text', 'no', /It is no JSON/],
  ['a list', '[]', /"tests" is missing/],
  ['a project without tests', '{"tests":[]}', /no test/],
  ['a test without commands', '{"tests":[{"name":"a"}]}', /^tests\[0\]: "commands" is missing/],
  [
    'a command that is none',
    '{"tests":[{"commands":[{"command":"open","target":"http://a.example.com"},1]}]}',
    /^tests\[0\]\.commands\[1\]: /,
  ],
  [
    'a relative address without a base',
    '{"tests":[{"commands":[{"command":"open","target":"/x"}]}]}',
    /^tests\[0\]\.commands\[0\]: "\/x" is relative/,
  ],
  [
    'blocks in blocks without an end',
    project({ a: Array.from({ length: 30_000 }, (): Line => ['if', 'true']) }),
    /inside one another more than 50 times/,
  ],
  ['tests that run ever more tests', project(doubling), /more than 50000 commands/],
  ['JSON that is nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested more than/],
])('%s is refused', async (_, text, message) => {
  const refusal = importText(importSide, text)
  await expect(refusal).rejects.toThrow(SourceError)
  await expect(refusal).rejects.toThrow(message)
})

const names = [
  'open',
  'click',
  'type',
  'if',
  'else',
  'elseIf',
  'end',
  'while',
  'times',
  'do',
  'repeatIf',
  'forEach',
  'run',
  'selectFrame',
  'selectWindow',
  'store',
  'sendKeys',
  '__proto__',
  '//click',
  '',
]
const targets = [
  '/',
  'id=a',
  'css=b',
  'true',
  '${x}',
  '3',
  'items',
  'one',
  'index=0',
  'relative=parent',
  '',
  'x=',
]
const line = fc.tuple(
  fc.constantFrom(...names),
  fc.constantFrom(...targets),
  fc.constantFrom('', 'x', '${KEY_ENTER}', '${KEY_X}', '99'),
)

test('each command of any test is in the report once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
      const { report } = await read(lines)
      const commands = report.elements.filter(({ kind }) => kind === 'command')
      expect(commands.map(({ place }) => place)).toEqual(
        lines.map((_, index) => `tests[0].commands[${index}]`),
      )
    }),
  )
})

test('whatever is read ends in a result or in a SourceError', async () => {
  const bytes = fc.oneof(
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc.json().map((text) => new TextEncoder().encode(`{"tests":[{"commands":${text}}]}`)),
    fc.uint8Array({ maxLength: 100 }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (source) => {
      const error: unknown = await importText(importSide, source).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      expect(error === undefined || error instanceof SourceError).toBe(true)
    }),
    { numRuns: 300 },
  )
})
