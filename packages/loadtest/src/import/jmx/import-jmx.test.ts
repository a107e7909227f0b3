import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Action, ActionOf, ActionType } from '../../model/action.ts'
import { virtualUser } from '../../model/virtual-user.ts'
import { importText, requestsOf } from '../../testing/import-context.ts'
import {
  collection,
  disabled,
  element,
  headers,
  parameters,
  plan,
  planOf,
  sampler,
  stringProperty,
} from '../../testing/jmx.ts'
import { SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importJmx } from './import-jmx.ts'

const read = (xml: string, options = {}) => importText(importJmx, xml, options)

async function actionsOf(below: readonly string[], beside: readonly string[] = []): Promise<Action[]> {
  const { virtualUsers } = await read(plan(below, beside))
  return virtualUsers[0]!.document.actions
}

async function only<Type extends ActionType>(type: Type, below: readonly string[]): Promise<ActionOf<Type>> {
  const actions = await actionsOf(below)
  expect(actions.map((action) => action.type)).toEqual([type])
  return actions.find((action): action is ActionOf<Type> => action.type === type)!
}

/** What the report says of an element, found by its name. */
async function told(xml: string, name: string): Promise<string> {
  const { report } = await read(xml)
  return report.elements
    .filter((each) => each.name === name)
    .map(({ outcome, note }) => (note === null ? outcome : `${outcome}: ${note}`))
    .join('\n')
}

const asks = (type: string, properties: Record<string, string | number>) =>
  element(
    'ResponseAssertion',
    type,
    collection('Asserion.test_strings', [stringProperty(['0', properties['text']])]) +
      Object.entries(properties).map(stringProperty).join(''),
  )

test('a thread group becomes a virtual user; how many of them there are belongs to a scenario', async () => {
  const { virtualUsers, report } = await read(plan([sampler('Home')]))
  expect(virtualUsers.map(({ document }) => [document.name, document.actions.length])).toEqual([['Users', 1]])
  expect(report.elements[1]).toMatchObject({
    place: 'Plan > Users',
    outcome: 'approximated',
    note: 'Its load belongs to a scenario: 5 users.',
  })
})

test('groups that set up and tear down, and those of plugins, are virtual users too', async () => {
  const groups = [
    'SetupThreadGroup',
    'PostThreadGroup',
    'kg.apc.jmeter.threads.UltimateThreadGroup',
    'com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup',
  ]
  const { virtualUsers } = await read(
    planOf(groups.map((type) => element(type, 'Users', {}, [sampler('Home')]))),
  )
  expect(virtualUsers.map(({ document }) => [document.name, ...document.tags])).toEqual([
    ['Users', 'setup'],
    ['Users (2)', 'teardown'],
    ['Users (3)'],
    ['Users (4)'],
  ])
})

test('a sampler has its address, parameters, headers and options', async () => {
  const [request] = requestsOf(
    await read(
      plan([
        sampler(
          'Search',
          {
            'HTTPSampler.port': 8443,
            'HTTPSampler.path': '/find?lang=en%20us',
            'HTTPSampler.follow_redirects': true,
            'HTTPSampler.response_timeout': 5000,
            'HTTPSampler.image_parser': true,
            'HTTPSampler.concurrentDwn': true,
            'HTTPSampler.concurrentPool': 4,
          },
          [headers([['X-Id', '${id}']])],
          parameters([['q', 'a&b']]),
        ),
      ]),
    ),
  )
  expect(request).toMatchObject({
    name: 'Search',
    method: 'GET',
    path: '/find',
    query: [
      { name: 'lang', value: 'en us' },
      { name: 'q', value: 'a&b' },
    ],
    headers: [{ name: 'X-Id', value: '${id}' }],
    redirects: { follow: true },
    timeout_ms: 5000,
    resources: { mode: 'parsed', parallel: 4 },
    enabled: true,
  })
})

test.each([
  [
    'a form',
    {},
    parameters([
      ['a', '1'],
      ['b', '${c}'],
    ]),
    {
      type: 'form',
      fields: [
        { name: 'a', value: '1' },
        { name: 'b', value: '${c}' },
      ],
    },
  ],
  [
    'a text',
    { 'HTTPSampler.postBodyRaw': true },
    parameters([['', 'plain ${x}']]),
    { type: 'raw', text: 'plain ${x}', content_type: null },
  ],
  [
    'parts',
    { 'HTTPSampler.DO_MULTIPART_POST': true },
    parameters([['a', '1']]),
    { type: 'multipart', parts: [{ type: 'field', name: 'a', value: '1', content_type: null }] },
  ],
  [
    'a file',
    {},
    `<elementProp name="HTTPsampler.Files" elementType="HTTPFileArgs">${collection('HTTPFileArgs.files', [
      `<elementProp name="" elementType="HTTPFileArg">${stringProperty(['File.path', String.raw`C:\data\cat.png`])}${stringProperty(['File.mimetype', 'image/png'])}</elementProp>`,
    ])}</elementProp>`,
    { type: 'file', path: 'cat.png', content_type: 'image/png' },
  ],
])('a POST sends %s', async (_, changes, more, body) => {
  const [request] = requestsOf(
    await read(plan([sampler('Send', { 'HTTPSampler.method': 'POST', ...changes }, [], more)])),
  )
  expect(request?.body).toEqual(body)
})

test('JSON is known by its header, which is told with the body', async () => {
  const [request] = requestsOf(
    await read(
      plan([
        sampler(
          'Send',
          { 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': true },
          [headers([['content-type', 'application/json']])],
          parameters([['', '{"a":${a}}']]),
        ),
      ]),
    ),
  )
  expect(request).toMatchObject({
    headers: [],
    body: { type: 'json', text: '{"a":${a}}', content_type: 'application/json' },
  })
})

test('what HTTP Request Defaults say counts where a sampler says nothing', async () => {
  const defaults = element('ConfigTestElement', 'Defaults', {
    'HTTPSampler.domain': 'api.example.com',
    'HTTPSampler.protocol': 'https',
    'HTTPSampler.connect_timeout': 700,
  })
  const imported = await read(
    plan([defaults, sampler('A', { 'HTTPSampler.domain': '', 'HTTPSampler.path': '/a' }), sampler('B')]),
  )
  expect(imported.servers.map(({ document }) => [document.base_url, document.connect_timeout_ms])).toEqual([
    ['https://api.example.com', 700],
    ['https://shop.example.com', 700],
  ])
  expect(imported.report.elements.find(({ name }) => name === 'Defaults')?.outcome).toBe('mapped')
})

test('headers of all managers in scope are sent; the nearest of one name counts', async () => {
  const [request] = requestsOf(
    await read(
      plan([
        headers([
          ['A', '1'],
          ['B', '1'],
        ]),
        sampler('Home', {}, [headers([['b', '2']])]),
      ]),
    ),
  )
  expect(request?.headers).toEqual([
    { name: 'A', value: '1' },
    { name: 'b', value: '2' },
  ])
})

test('the User-Agent of a thread group is that of the virtual user', async () => {
  const { virtualUsers } = await read(plan([headers([['User-Agent', ' Mozilla/5.0 ']]), sampler('Home')]))
  expect(virtualUsers[0]?.document.user_agent).toBe('Mozilla/5.0')
  expect(virtualUsers[0]?.document.actions[0]).toMatchObject({ headers: [] })
})

test('cookies and files are kept where there is a manager for them', async () => {
  const cookies = element('CookieManager', 'Cookies', { 'CookieManager.clearEachIteration': true })
  const { document } = (await read(plan([cookies, sampler('Home')]))).virtualUsers[0]!
  expect([document.cookies, document.cache.keep]).toEqual([{ keep: true, clear_each_iteration: true }, false])
})

test('requests to hosts that are not verified are kept, disabled, with the reason', async () => {
  const xml = plan([sampler('Ads', { 'HTTPSampler.domain': 'ads.other' })])
  const [request] = requestsOf(await read(xml))
  expect(request).toMatchObject({
    enabled: false,
    disabled_reason: expect.stringContaining('ads.other is no verified target'),
  })
  expect(await told(xml, 'Ads')).toMatch(/^approximated: Disabled, because ads\.other is no verified target/)
})

test('a host that a variable names is judged by the value it has from the start', async () => {
  const variables = element('Arguments', 'Variables', parameters([['host', '${__P(target,ads.other)}']], ''))
  const [request] = requestsOf(
    await read(plan([variables, sampler('A', { 'HTTPSampler.domain': '${host}' })])),
  )
  expect(request?.disabled_reason).toContain('ads.other is no verified target')
})

test('a sampler without a server is kept, disabled', async () => {
  const [request] = requestsOf(await read(plan([sampler('A', { 'HTTPSampler.domain': '' })])))
  expect([request?.enabled, request?.disabled_reason]).toEqual([
    false,
    'The plan names no server for it: choose one, and enable it.',
  ])
  const based = await read(plan([sampler('A', { 'HTTPSampler.domain': '' })]), {
    baseUrl: 'https://shop.example.com',
  })
  expect(requestsOf(based)[0]?.enabled).toBe(true)
})

test('what is disabled stays disabled', async () => {
  const actions = await actionsOf([
    disabled(sampler('A')),
    disabled(element('TransactionController', 'T', {}, [sampler('B')])),
    sampler('C', {}, [disabled(element('DurationAssertion', 'D', { 'DurationAssertion.duration': 9 }))]),
    disabled(element('ConstantTimer', 'W', { 'ConstantTimer.delay': 9 })),
  ])
  expect(actions).toMatchObject([
    { name: 'A', enabled: false },
    { name: 'T', enabled: false, actions: [{ name: 'B', enabled: true }] },
    { name: 'C', enabled: true, assertions: [{ type: 'duration', enabled: false }] },
  ])
})

test.each<[string, string, object]>([
  ['TransactionController', element('TransactionController', 'X', {}, [sampler('A')]), { type: 'container' }],
  ['GenericController', element('GenericController', 'X', {}, [sampler('A')]), { type: 'container' }],
  [
    'LoopController',
    element('LoopController', 'X', { 'LoopController.loops': '${n}' }, [sampler('A')]),
    { type: 'loop', count: '${n}' },
  ],
  [
    'LoopController for ever',
    element('LoopController', 'X', { 'LoopController.loops': -1 }, [sampler('A')]),
    { type: 'while', iterations_max: 1000 },
  ],
  ['OnceOnlyController', element('OnceOnlyController', 'X', {}, [sampler('A')]), { type: 'once' }],
  [
    'WhileController',
    element('WhileController', 'X', { 'WhileController.condition': '${more}' }, [sampler('A')]),
    {
      type: 'while',
      condition: { comparisons: [{ left: '${more}', operator: 'not_equals', right: 'false' }] },
    },
  ],
  [
    'ForeachController',
    element(
      'ForeachController',
      'X',
      { 'ForeachController.inputVal': 'ids', 'ForeachController.returnVal': 'id' },
      [sampler('A')],
    ),
    { type: 'for_each', list: 'ids', variable: 'id' },
  ],
  ['a controller of a plugin', element('com.example.Odd', 'X', {}, [sampler('A')]), { type: 'container' }],
])('%s holds what is in it', async (_, xml, expected) => {
  expect((await actionsOf([xml]))[0]).toMatchObject({ ...expected, name: 'X', actions: [{ name: 'A' }] })
})

test.each([
  [
    '${__jexl3("${a}" == "1" && "${b}" != \'\')}',
    'all',
    [
      ['${a}', 'equals', '1'],
      ['${b}', 'not_equals', ''],
    ],
  ],
  [
    '${__jexl3(${n} < 10 || ${n} >= 20.5)}',
    'any',
    [
      ['${n}', 'less', '10'],
      ['${n}', 'greater_or_equal', '20.5'],
    ],
  ],
  ['${__groovy(vars.get("a").equals("x"))}', 'all', [['${a}', 'equals', 'x']]],
  ['${__groovy(!vars.get("a").contains("x\\,y"))}', 'all', [['${a}', 'not_contains', 'x,y']]],
  ['"${a}" == "yes"', 'all', [['${a}', 'equals', 'yes']]],
  ['${ok}', 'all', [['${ok}', 'equals', 'true']]],
  ['${__jexl3(!empty("${a}"))}', 'all', [['${a}', 'not_empty', '']]],
  [
    '${__jexl3(!("${a}" == "1" || "${a}" == "2"))}',
    'all',
    [
      ['${a}', 'not_equals', '1'],
      ['${a}', 'not_equals', '2'],
    ],
  ],
])('the condition %s is read', async (condition, combine, comparisons) => {
  const action = await only('if', [
    element('IfController', 'If', { 'IfController.condition': condition }, [sampler('A')]),
  ])
  expect(action.condition).toEqual({
    combine,
    comparisons: comparisons.map(([left, operator, right]) => ({ left, operator, right })),
  })
  expect(action.enabled).toBe(true)
})

test.each([
  '${__groovy(System.exit(1))}',
  '${__jexl3("${a}" == "1" && "${b}" == "1" || "${c}" == "1")}',
  'a b',
  '',
  '((((',
])(
  'the condition %j, which cannot be read, is told of, and what depends on it is disabled',
  async (condition) => {
    const xml = element('IfController', 'If', { 'IfController.condition': condition }, [sampler('A')])
    expect((await only('if', [xml])).enabled).toBe(false)
    expect(await told(plan([xml]), 'If')).toContain('approximated: Its condition cannot be read')
  },
)

test('one of what is in a Random Controller is chosen; what is disabled never', async () => {
  const action = await only('random', [
    element('RandomController', 'R', {}, [
      sampler('A'),
      disabled(sampler('B')),
      element('GenericController', 'C', {}, [sampler('D'), sampler('E')]),
    ]),
  ])
  expect(
    action.choices.map(({ weight, name, actions }) => [weight, name, ...actions.map((each) => each.name)]),
  ).toEqual([
    [1, '', 'A'],
    [0, '', 'B'],
    [1, 'C', 'D', 'E'],
  ])
})

test('a share of iterations is a choice with that weight', async () => {
  const action = await only('random', [
    element(
      'ThroughputController',
      'T',
      '<intProp name="ThroughputController.style">1</intProp><FloatProperty><name>ThroughputController.percentThroughput</name><value>30.0</value></FloatProperty>',
      [sampler('A')],
    ),
  ])
  expect(action.choices.map(({ weight }) => weight)).toEqual([30, 70])
})

test('a switch is a condition for each of its choices', async () => {
  const action = await only('container', [
    element('SwitchController', 'S', { 'SwitchController.value': '${way}' }, [sampler('A'), sampler('B')]),
  ])
  expect(action.actions).toMatchObject([
    {
      type: 'if',
      condition: { combine: 'any', comparisons: [{ right: '0' }, { right: 'A' }, { operator: 'empty' }] },
    },
    { type: 'if', condition: { comparisons: [{ left: '${way}', right: '1' }, { right: 'B' }] } },
  ])
})

const module = (...path: string[]) =>
  element(
    'ModuleController',
    'M',
    collection(
      'ModuleController.node_path',
      path.map((name, index) => stringProperty([String(index), name])),
    ),
  )

test('a module is a copy of the fragment that it names', async () => {
  const fragment = element('TestFragmentController', 'F', {}, [sampler('A')])
  const xml = plan([module('Test Plan', 'Plan', 'F'), module('Plan', 'F')], [fragment])
  const { virtualUsers, report } = await read(xml)
  expect(virtualUsers[0]?.document.actions).toMatchObject([
    { actions: [{ name: 'A' }] },
    { actions: [{ name: 'A' }] },
  ])
  const ids = JSON.stringify(virtualUsers).match(/"id":"[^"]+"/g)!
  expect(new Set(ids).size).toBe(ids.length)
  expect(countOutcomes(report)).toEqual({ read: 6, mapped: 3, approximated: 3, dropped: 0 })
})

test('a module that contains itself is dropped, one that grows without end is refused', async () => {
  const circle = element('TestFragmentController', 'F', {}, [module('Plan', 'F')])
  expect(await told(plan([module('Plan', 'F')], [circle]), 'M')).toContain(
    'dropped: What it names is not in the plan, or contains itself',
  )
  const bomb = Array.from({ length: 9 }, (_, index) =>
    element(
      'TestFragmentController',
      `F${index}`,
      {},
      Array.from({ length: 10 }, () => (index === 8 ? sampler('A') : module('Plan', `F${index + 1}`))),
    ),
  )
  await expect(read(plan([module('Plan', 'F0')], bomb))).rejects.toThrow(SourceError)
})

test('timers wait before each sampler that they apply to', async () => {
  const actions = await actionsOf([
    element('ConstantTimer', 'All', { 'ConstantTimer.delay': 100 }),
    sampler('A'),
    sampler('B', {}, [
      element('UniformRandomTimer', 'Own', { 'ConstantTimer.delay': 50, 'RandomTimer.range': '20.0' }),
    ]),
  ])
  expect(actions.map(({ name }) => name)).toEqual(['All', 'A', 'All', 'Own', 'B'])
  expect(actions[3]).toMatchObject({
    type: 'delay',
    duration: { distribution: 'uniform', min_ms: 50, max_ms: 70 },
  })
})

test.each([
  [
    'GaussianRandomTimer',
    { 'ConstantTimer.delay': 300, 'RandomTimer.range': 100 },
    { distribution: 'gaussian', mean_ms: 300, deviation_ms: 100 },
  ],
  [
    'PoissonRandomTimer',
    { 'ConstantTimer.delay': 300, 'RandomTimer.range': 100 },
    { distribution: 'gaussian', mean_ms: 400, deviation_ms: 10 },
  ],
  [
    'ConstantTimer',
    { 'ConstantTimer.delay': '${__Random(10,20)}' },
    { distribution: 'uniform', min_ms: 10, max_ms: 20 },
  ],
])('%s has its distribution', async (type, properties, expected) => {
  const [delay] = await actionsOf([element(type, 'W', properties), sampler('A')])
  expect(delay).toMatchObject({ type: 'delay', duration: expected })
})

test('think times are cut, or left out, as asked for', async () => {
  const xml = plan([element('ConstantTimer', 'W', { 'ConstantTimer.delay': 9000 }), sampler('A')])
  const cut = await read(xml, { thinkTimeMaxMs: 1000 })
  expect(cut.virtualUsers[0]?.document.actions[0]).toMatchObject({ duration: { ms: 1000 } })
  const without = await read(xml, { thinkTimes: 'none' })
  expect(without.virtualUsers[0]?.document.actions.map(({ type }) => type)).toEqual(['http_request'])
  expect(without.report.elements.find(({ name }) => name === 'W')?.outcome).toBe('dropped')
})

test('a throughput is the pacing of all samplers that it applies to', async () => {
  const timer = element(
    'ConstantThroughputTimer',
    'P',
    '<doubleProp><name>throughput</name><value>60.0</value><savedValue>0.0</savedValue></doubleProp>',
  )
  const [pacing] = await actionsOf([timer, sampler('A'), sampler('B')])
  expect(pacing).toMatchObject({ type: 'pacing', interval: { ms: 2000 } })
})

test('a pause is a delay; what stops or leaves a loop is dropped', async () => {
  const pause = element('TestAction', 'P', { 'ActionProcessor.action': 1, 'ActionProcessor.duration': 250 })
  expect(await only('delay', [pause])).toMatchObject({ name: 'P', duration: { ms: 250 } })
  expect(await told(plan([element('TestAction', 'S', { 'ActionProcessor.action': 5 })]), 'S')).toMatch(
    /^dropped: It leaves the loop/,
  )
})

test.each<[string, string, object]>([
  [
    'RegexExtractor',
    element('RegexExtractor', 'E', {
      'RegexExtractor.refname': 'x',
      'RegexExtractor.regex': '(?i)a(.)(b)',
      'RegexExtractor.template': '$2$',
      'RegexExtractor.match_number': -1,
      'RegexExtractor.useHeaders': 'true',
      'RegexExtractor.default': '${d}',
    }),
    {
      type: 'regex',
      pattern: 'a(.)(b)',
      flags: 'i',
      group: 2,
      match: 'all',
      part: 'headers',
      default: '${d}',
    },
  ],
  [
    'BoundaryExtractor',
    element('BoundaryExtractor', 'E', {
      'BoundaryExtractor.refname': 'x',
      'BoundaryExtractor.lboundary': '<a>',
      'BoundaryExtractor.rboundary': '</a>',
      'BoundaryExtractor.match_number': 2,
      'BoundaryExtractor.default_empty_value': 'true',
    }),
    { type: 'boundaries', left: '<a>', right: '</a>', match: 2, default: '' },
  ],
  [
    'HtmlExtractor',
    element('HtmlExtractor', 'E', {
      'HtmlExtractor.refname': 'x',
      'HtmlExtractor.expr': 'a.b',
      'HtmlExtractor.attribute': 'href',
      'HtmlExtractor.match_number': 0,
    }),
    { type: 'css', selector: 'a.b', attribute: 'href', match: 'random', default: null },
  ],
  [
    'XPathExtractor',
    element('XPathExtractor', 'E', {
      'XPathExtractor.refname': 'x',
      'XPathExtractor.xpathQuery': '//a',
      'XPathExtractor.matchNumber': 1,
    }),
    { type: 'xpath', expression: '//a', match: 1 },
  ],
  [
    'XPathExtractor of an old plan',
    element('XPathExtractor', 'E', { 'XPathExtractor.refname': 'x', 'XPathExtractor.xpathQuery': '//a' }),
    { type: 'xpath', match: 'all' },
  ],
  [
    'XPath2Extractor',
    element('XPath2Extractor', 'E', { 'XPathExtractor2.refname': 'x', 'XPathExtractor2.xpathQuery': '//a' }),
    { type: 'xpath', expression: '//a', match: 'random' },
  ],
  [
    'JMESPathExtractor',
    element('JMESPathExtractor', 'E', {
      'JMESExtractor.referenceName': 'x',
      'JMESExtractor.jmesPathExpr': 'a.b[0].c',
    }),
    { type: 'json_path', path: '$.a.b[0].c' },
  ],
])('%s takes a value out of the response', async (_, xml, expected) => {
  const action = await only('http_request', [sampler('A', {}, [xml])])
  expect(action.extractors).toMatchObject([{ variable: 'x', enabled: true, ...expected }])
})

test('a JSON extractor may take several values', async () => {
  const xml = element('JSONPostProcessor', 'E', {
    'JSONPostProcessor.referenceNames': 'a; b',
    'JSONPostProcessor.jsonPathExprs': '$.a;$.b[*]',
    'JSONPostProcessor.match_numbers': '1;-1',
    'JSONPostProcessor.defaultValues': 'none;',
  })
  const action = await only('http_request', [sampler('A', {}, [xml])])
  expect(action.extractors).toMatchObject([
    { variable: 'a', path: '$.a', match: 1, default: 'none' },
    { variable: 'b', path: '$.b[*]', match: 'all', default: null },
  ])
})

test('an extractor of all samplers fails none of them: it keeps the value that it has', async () => {
  const xml = element('RegexExtractor', 'E', {
    'RegexExtractor.refname': 'csrf',
    'RegexExtractor.regex': 'a(.)',
    'RegexExtractor.template': '$1$',
  })
  const actions = await actionsOf([xml, sampler('A'), sampler('B')])
  expect(actions[0]).toMatchObject({
    type: 'once',
    actions: [{ type: 'set_variable', variable: 'csrf', value: '' }],
  })
  expect(actions.slice(1)).toMatchObject([
    { extractors: [{ default: '${csrf}' }] },
    { extractors: [{ default: '${csrf}' }] },
  ])
})

test('groups of an expression have variables where they are used', async () => {
  const xml = element('RegexExtractor', 'E', {
    'RegexExtractor.refname': 'x',
    'RegexExtractor.regex': '(a)(b)',
    'RegexExtractor.template': '$1$',
  })
  const [first] = requestsOf(
    await read(plan([sampler('A', {}, [xml]), sampler('B', { 'HTTPSampler.path': '/${x_g2}' })])),
  )
  expect(first?.extractors).toMatchObject([
    { variable: 'x', group: 1 },
    { variable: 'x_g2', group: 2 },
  ])
})

test.each(['(?<a', 'a++', '(?>a)'])(
  'the expression %s, which is none of JavaScript, is kept and disabled',
  async (pattern) => {
    const xml = element('RegexExtractor', 'E', {
      'RegexExtractor.refname': 'x',
      'RegexExtractor.regex': pattern,
    })
    const action = await only('http_request', [sampler('A', {}, [xml])])
    expect(action.extractors).toMatchObject([{ pattern, enabled: false }])
    expect(await told(plan([sampler('A', {}, [xml])]), 'E')).toContain('not one of JavaScript')
  },
)

const field = 'Assertion.test_field'
const kind = 'Assertion.test_type'

test.each<[string, Record<string, string | number>, object]>([
  [
    'a text',
    { text: 'Hi ${x}', [field]: 'Assertion.response_data', [kind]: 16 },
    { type: 'body_contains', text: 'Hi ${x}', negate: false },
  ],
  [
    'no text',
    { text: 'Hi', [field]: 'Assertion.response_data', [kind]: 20 },
    { type: 'body_contains', negate: true },
  ],
  [
    'all of the body',
    { text: 'Hi', [field]: 'Assertion.response_data', [kind]: 8 },
    { type: 'body_equals', text: 'Hi' },
  ],
  [
    'an expression',
    { text: '(?s)H.', [field]: 'Assertion.response_data', [kind]: 2 },
    { type: 'body_matches', pattern: 'H.', flags: 's' },
  ],
  [
    'an expression for all of it',
    { text: 'a|b', [field]: 'Assertion.response_data', [kind]: 1 },
    { type: 'body_matches', pattern: '^(?:a|b)$' },
  ],
  [
    'a status',
    { text: '404', [field]: 'Assertion.response_code', [kind]: 8 },
    { type: 'status', allowed: ['404'] },
  ],
  [
    'a hundred of statuses',
    { text: '2..', [field]: 'Assertion.response_code', [kind]: 1 },
    { type: 'status', allowed: ['2xx'] },
  ],
  [
    'a header',
    { text: 'Location: /next', [field]: 'Assertion.response_headers', [kind]: 16 },
    { type: 'header', name: 'Location', comparison: 'contains', value: '/next' },
  ],
])('a Response Assertion asks for %s', async (_, properties, expected) => {
  const action = await only('http_request', [sampler('A', {}, [asks('R', properties)])])
  expect(action.assertions).toMatchObject([expected])
})

test('an assertion that ignores the status says that any is good', async () => {
  const xml = asks('R', {
    text: 'Hi',
    [field]: 'Assertion.response_data',
    [kind]: 16,
    'Assertion.assume_success': 'true',
  })
  const action = await only('http_request', [sampler('A', {}, [xml])])
  expect(action.assertions).toMatchObject([
    { type: 'status', allowed: ['1xx', '2xx', '3xx', '4xx', '5xx'] },
    { type: 'body_contains' },
  ])
})

test.each<[string, string, object]>([
  [
    'DurationAssertion',
    element('DurationAssertion', 'R', { 'DurationAssertion.duration': 500 }),
    { type: 'duration', max_ms: 500 },
  ],
  [
    'SizeAssertion',
    element('SizeAssertion', 'R', { 'SizeAssertion.size': 9, 'SizeAssertion.operator': 3 }),
    { type: 'size', min_bytes: 10, max_bytes: null },
  ],
  [
    'JSONPathAssertion',
    element('JSONPathAssertion', 'R', {
      JSON_PATH: '$.a',
      EXPECTED_VALUE: '7',
      JSONVALIDATION: 'true',
      INVERT: 'true',
      ISREGEX: 'true',
    }),
    { type: 'json_path', path: '$.a', equals: '7', negate: true },
  ],
  [
    'XPathAssertion',
    element('XPathAssertion', 'R', { 'XPath.xpath': '//a', 'XPath.negate': 'true' }),
    { type: 'xpath', expression: '//a', negate: true },
  ],
])('%s asks what it asked', async (_, xml, expected) => {
  const action = await only('http_request', [sampler('A', {}, [xml])])
  expect(action.assertions).toMatchObject([expected])
})

const variablesOf = async (below: readonly string[]) => {
  const { variables } = await read(plan([...below, sampler('A', { 'HTTPSampler.path': '/${x}' })]))
  return variables.map(({ document }) => document)
}

test('a CSV Data Set is a variable with its columns', async () => {
  const csv = element('CSVDataSet', 'Users', {
    filename: '/home/me/users.csv',
    variableNames: 'user, pass word',
    delimiter: '\\t',
    recycle: 'false',
    stopThread: 'true',
    shareMode: 'shareMode.thread',
    ignoreFirstLine: 'true',
    quotedData: 'true',
    fileEncoding: 'ISO-8859-1',
  })
  expect(await variablesOf([csv])).toMatchObject([
    {
      type: 'csv',
      name: 'Users',
      path: 'users.csv',
      columns: ['user', 'pass_word'],
      delimiter: '\t',
      quote: '"',
      at_end: 'stop',
      sharing: 'per_user',
      skip_lines: 1,
      encoding: 'latin1',
    },
  ])
})

test.each([
  ['windows-1252', 'mapped'],
  ['ISO-8859-15', 'approximated: It is read as windows-1252, in which € Š š Ž ž Œ œ Ÿ are other bytes'],
])('of a file in %s is told where letters are others', async (fileEncoding, expected) => {
  const csv = element('CSVDataSet', 'Users', { filename: 'users.csv', variableNames: 'user', fileEncoding })
  expect(await variablesOf([csv])).toMatchObject([{ encoding: 'latin1' }])
  expect(await told(plan([csv]), 'Users')).toMatch(expected)
})

test('a time that a clock shows is told to be in UTC, and seconds since 1970 are not', async () => {
  const noteOf = (call: string) => told(plan([sampler('A', { 'HTTPSampler.path': `/${call}` })]), 'A')
  expect(await noteOf('${__time(yyyyMMdd,)}')).toMatch(/^approximated: Its time is in UTC/)
  expect(await noteOf('${__timeShift(HH:mm,,PT1H,,)}')).toMatch(/^approximated: Its time is in UTC/)
  expect(await noteOf('${__time(,)}${__time(/1000,)}')).toBe('mapped')
  const defined = element('Arguments', 'V', parameters([['x', '${__time(HMS)}']], ''))
  expect(await told(plan([defined]), 'V')).toMatch(/^approximated: Its time is in UTC/)
})

test.each<[string, string, object]>([
  [
    'a counter',
    element('CounterConfig', 'C', {
      'CounterConfig.name': 'x',
      'CounterConfig.start': 5,
      'CounterConfig.incr': 2,
      'CounterConfig.format': '000',
      'CounterConfig.per_user': 'true',
    }),
    { type: 'counter', name: 'x', start: 5, step: 2, digits: 3, end: null, sharing: 'per_user' },
  ],
  [
    'a random variable',
    element('RandomVariableConfig', 'C', { variableName: 'x', minimumValue: 1, maximumValue: 6 }),
    { type: 'random_number', name: 'x', min: 1, max: 6, renewed: 'each_iteration' },
  ],
  [
    'a user defined variable',
    element('Arguments', 'C', parameters([['x', 'a ${y} b']], '')),
    { type: 'constant', name: 'x', value: 'a ${y} b' },
  ],
  [
    'one that is a function',
    element('Arguments', 'C', parameters([['x', '${__UUID()}']], '')),
    { type: 'uuid', name: 'x', renewed: 'once' },
  ],
])('%s is a variable', async (_, xml, expected) => {
  expect(await variablesOf([xml])).toMatchObject([expected])
})

test.each<[string, object]>([
  ['${__Random(1,10)}', { type: 'random_number', min: 1, max: 10, renewed: 'each_use' }],
  ['${__UUID}', { type: 'uuid', renewed: 'each_use' }],
  ['${__RandomString(5,abc)}', { type: 'random_text', length: 5, characters: 'abc' }],
  ['${__time()}', { type: 'date_time', format: 'unix_ms' }],
  ['${__time(/1000,)}', { type: 'date_time', format: 'unix' }],
  ['${__time(yyyy-MM-dd\\,HH:mm)}', { type: 'date_time', format: 'yyyy-MM-dd,HH:mm' }],
  ['${__timeShift(dd,,-P1DT1H,,)}', { type: 'date_time', format: 'dd', offset_ms: -90_000_000 }],
  ['${__P(host,localhost)}', { type: 'constant', name: 'host', value: 'localhost' }],
  ['${__counter(TRUE)}', { type: 'counter', sharing: 'per_user' }],
  ['${__CSVRead(data/u.csv,1)}', { type: 'csv', path: 'u.csv', columns: ['u_0', 'u_1'] }],
  ['${__Random(1,10,dice)}', { type: 'random_number', name: 'dice', renewed: 'each_iteration' }],
])('the function %s proposes a variable', async (call, expected) => {
  const imported = await read(plan([sampler('A', { 'HTTPSampler.path': `/${call}/${call}` })]))
  expect(imported.variables).toHaveLength(1)
  expect(imported.variables[0]?.document).toMatchObject(expected)
  expect(requestsOf(imported)[0]?.path).toMatch(/^\/\$\{([\w.]+)\}\/\$\{\1\}$/)
})

test('a function that cannot be computed is a variable to be given its value, and told of', async () => {
  const xml = plan([sampler('A', { 'HTTPSampler.path': '/${__groovy(1+1)}' })])
  const { variables } = await read(xml)
  expect(variables[0]?.document).toMatchObject({ type: 'constant', name: 'groovy', value: '' })
  expect(await told(xml, 'A')).toContain('${__groovy(1+1)} cannot be computed here')
})

test.each([
  ['a\\$b ${x}', 'a$b ${x}'],
  ['a\\$b', 'a\\$b'],
  ['$${x}', '${dollar}${x}'],
  ['${__char(36)}{x}', '$${x}'],
  ['${my var}', '${my_var}'],
  ['${unclosed', '$${unclosed'],
])('the text %s means %s', async (text, expected) => {
  const action = (
    await actionsOf([
      element('JSR223Sampler', 'S', { script: 'vars.put("v", Parameters)', parameters: text }),
    ])
  )[0]
  expect(action).toMatchObject({ type: 'set_variable', variable: 'v', value: expected })
})

test('scripts are kept as comments, disabled, before and after their sampler', async () => {
  const actions = await actionsOf([
    sampler('A', {}, [
      element('JSR223PreProcessor', 'Before', {
        script: 'vars.put("a", "1");\nvars.put("b", vars.get("c"))',
      }),
      element('BeanShellPostProcessor', 'After', { script: '*/ log.info("x")\nnext()' }),
      element('JSR223Assertion', 'Ask', { script: 'x' }),
    ]),
  ])
  expect(actions).toMatchObject([
    { type: 'set_variable', variable: 'a', value: '1' },
    { type: 'set_variable', variable: 'b', value: '${c}' },
    { type: 'http_request', assertions: [] },
    { type: 'script', enabled: false, source: expect.stringMatching(/^(?:\/\/ .*\n?)+$/) },
  ])
})

test('credentials are those of the server; a password becomes a secret without its value', async () => {
  const auth = element(
    'AuthManager',
    'Auth',
    collection('AuthManager.auth_list', [
      `<elementProp name="" elementType="Authorization">${Object.entries({ 'Authorization.url': 'https://shop.example.com/', 'Authorization.username': 'me', 'Authorization.password': 'hunter2', 'Authorization.mechanism': 'DIGEST' }).map(stringProperty).join('')}</elementProp>`,
    ]),
  )
  const imported = await read(plan([auth, sampler('A')]))
  expect(imported.servers[0]?.document.authentication).toEqual({
    type: 'digest',
    user_name: 'me',
    password: '${password}',
  })
  expect(imported.variables[0]?.document).toMatchObject({ type: 'secret', name: 'password' })
  expect(JSON.stringify(imported)).not.toContain('hunter2')
})

test('every element is in the report once, wherever it is and whatever it is', async () => {
  const odd = [
    element('DebugSampler', 'D', {}, [element('ConstantTimer', 'T')]),
    element('JDBCSampler', 'J', {}, [asks('R', { text: 'a' })]),
    element('ResultCollector', 'L'),
    element('IncludeController', 'I', {}, [sampler('A')]),
    element('com.example.Unknown', 'U', {}, [element('com.example.Inner', 'V')]),
    sampler('B', {}, [element('JSR223PreProcessor', 'P', {}, [element('Arguments', 'Q')]), sampler('C')]),
    element('ThreadGroup', 'Nested', {}, [sampler('E')]),
  ]
  const { report } = await read(
    plan(odd, [
      sampler('Outside'),
      element('TestFragmentController', 'Unused', {}, [sampler('F')]),
      element('AuthManager', 'M'),
    ]),
  )
  const names = report.elements.map(({ name }) => name)
  expect(names.toSorted()).toEqual([
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'I',
    'J',
    'L',
    'M',
    'Nested',
    'Outside',
    'P',
    'Plan',
    'Q',
    'R',
    'T',
    'U',
    'Unused',
    'Users',
    'V',
  ])
  const dropped = report.elements.filter(({ outcome }) => outcome === 'dropped')
  expect(dropped.map(({ name }) => name).toSorted()).toEqual(
    names.filter((name) => !['Plan', 'Users', 'B', 'P'].includes(name)).toSorted(),
  )
  expect(dropped.every(({ note }) => note !== null && note !== '')).toBe(true)
})

const nested = (count: number, type: string) => {
  let xml = sampler('A')
  for (let index = 0; index < count; index++) xml = element(type, 'T', {}, [xml])
  return plan([xml])
}

test.each<[string, string, RegExp]>([
  ['nothing', '', /no well-formed XML/],
  ['no XML', 'hello', /^line 1, column 1: It is no well-formed XML/],
  ['another document', '<project/>', /The root element is <project>/],
  ['a plan that is cut off', plan([sampler('A')]).slice(0, -40), /no well-formed XML/],
  [
    'entities that grow',
    `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${plan([])}`,
    /^line 1: XML with a document type declaration/,
  ],
  [
    'an entity of a file',
    `<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "file:///etc/passwd">${plan([])}`,
    /^line 2: XML with a document type/,
  ],
  [
    'an entity that nobody declared',
    plan([sampler('A')]).replace('shop.example.com', '&secret;'),
    /&secret; is no character/,
  ],
  ['a plan without thread groups', planOf([sampler('A')]), /There is no thread group/],
  ['no test plan', '<jmeterTestPlan><hashTree/></jmeterTestPlan>', /There is no Test Plan/],
  ['an empty plan', '<jmeterTestPlan/>', /There is no hashTree/],
  [
    'a hashTree of nothing',
    '<jmeterTestPlan><hashTree><hashTree/></hashTree></jmeterTestPlan>',
    /hashTree without the element/,
  ],
  ['a name without end', `<${'<'.repeat(5000)}>`, /^.{100,400}$/],
  [
    'elements among the properties of another',
    plan([sampler('A', {}, [], '<elementProp name="x"><hashTree/></elementProp>')]),
    /^Plan > Users > A: A hashTree is inside of an element/,
  ],
  ['deep controllers', nested(55, 'GenericController'), /inside one another more than 50 times/],
  ['deeper controllers', nested(70, 'GenericController'), /inside one another more than 60 times/],
  ['deep XML', '<a>'.repeat(100_000) + '</a>'.repeat(100_000), /inside one another more than 250 times/],
  [
    'a billion variables',
    plan([
      sampler('A', {
        'HTTPSampler.path': Array.from({ length: 6000 }, (_, index) => `\${v${index}}`).join(''),
      }),
    ]),
    /more than 5000 variables/,
  ],
  [
    'too many headers',
    plan([headers(Array.from({ length: 300 }, (_, index) => [`h${index}`, ''] as const)), sampler('A')]),
    /more than 200/,
  ],
  [
    'timers that multiply',
    plan([...Array.from({ length: 600 }, () => element('ConstantTimer', 'T')), sampler('A')]),
    /Too many elements apply/,
  ],
])('%s is refused', async (_, xml, message) => {
  await expect(read(xml)).rejects.toThrow(message)
  await expect(read(xml)).rejects.toBeInstanceOf(SourceError)
})

test('a document type that is only written in a text is a text', async () => {
  const xml = plan([
    sampler(
      'A',
      { 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': true },
      [],
      parameters([['', 'PAGE']]),
    ),
  ]).replace('PAGE', '<![CDATA[<!DOCTYPE html>&amp;]]>')
  expect(requestsOf(await read(xml))[0]?.body).toMatchObject({ text: '<!DOCTYPE html>&amp;' })
})

test('variables that are made of each other have no value, and no end is needed', async () => {
  const pairs = Array.from(
    { length: 50 },
    (_, index) => [`a${index}`, `\${a${index + 1}}`.repeat(20)] as const,
  )
  const circle = element('Arguments', 'V', parameters([...pairs, ['x', '${y}'], ['y', '${x}']], ''))
  const imported = await read(
    plan([
      circle,
      sampler('A', { 'HTTPSampler.domain': '${a0}' }),
      sampler('B', { 'HTTPSampler.domain': '${x}' }),
    ]),
  )
  expect(imported.servers.map(({ document }) => document.base_url)).toEqual(['https://${a0}', 'https://${x}'])
})

test.each(['__urlencode', '__P', '__unknown'])(
  'functions inside of one another without end are kept as they are written: %s',
  async (name) => {
    const path = `/${`\${${name}(a`.repeat(3000)}${')}'.repeat(3000)}`
    const { report } = await read(plan([sampler('A', { 'HTTPSampler.path': path })]))
    const sent = report.elements.find((each) => each.kind === 'HTTPSamplerProxy')
    expect(sent?.outcome).toBe('approximated')
  },
)

test('a text of very many variables is read in a time that grows with its length', async () => {
  const body = parameters([['', '${a}-$'.repeat(60_000)]])
  const changes = { 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': true }
  const begun = process.cpuUsage()
  await read(plan([sampler('A', changes, [], body)]))
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(5)
})

test('variables that are made of one another without end have no value', async () => {
  const pairs = Array.from({ length: 4000 }, (_, index) => [`a${index}`, `\${a${index + 1}}`] as const)
  const imported = await read(
    plan([
      element('Arguments', 'V', parameters(pairs.slice(0, 2000), '')),
      element('Arguments', 'W', parameters(pairs.slice(2000), '')),
      sampler('A', { 'HTTPSampler.domain': '${a0}' }),
    ]),
  )
  expect(imported.servers.map(({ document }) => document.base_url)).toEqual(['https://${a0}'])
})

const pieces = fc.constantFrom(
  '<hashTree>',
  '</hashTree>',
  '<hashTree/>',
  '<jmeterTestPlan>',
  '</jmeterTestPlan>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '&#x0;',
  '&lt;',
  '${',
  '}',
  '${__Random(',
  ',',
  ...[
    'HTTPSamplerProxy',
    'ThreadGroup',
    'IfController',
    'RegexExtractor',
    'ResponseAssertion',
    'CSVDataSet',
    'ModuleController',
    'TestAction',
    'RandomController',
    'JSONPostProcessor',
    'UserParameters',
  ].map((type) => element(type, type)),
)

test('any bytes end in a result or in a SourceError', async () => {
  const whole = plan([
    sampler('A', {}, [asks('R', { text: '2..' })]),
    element('IfController', 'I', { 'IfController.condition': '${__jexl3("${a}" == "1")}' }, [sampler('B')]),
  ])
  const spliced = fc
    .tuple(fc.nat(whole.length), fc.nat(200), fc.array(fc.oneof(pieces, fc.string()), { maxLength: 6 }))
    .map(([at, cut, put]) => Buffer.from(whole.slice(0, at) + put.join('') + whole.slice(at + cut)))
  const made = fc.array(pieces, { maxLength: 8 }).map((below) => Buffer.from(plan(below)))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), spliced, made), async (bytes) => {
      const documents = await importText(importJmx, bytes).then(
        ({ virtualUsers }) => virtualUsers.map(({ document }) => document),
        (error: unknown) => {
          if (error instanceof SourceError) return []
          throw error
        },
      )
      for (const document of documents) expect(virtualUser.parse(document)).toEqual(document)
    }),
    { numRuns: 300 },
  )
})
