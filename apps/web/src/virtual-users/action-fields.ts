import { type Field, choicesOf, plain, type Shape, type Variant } from '../documents/field.ts'

/** The fields of a virtual user and of its actions, as forms show them. The JSON Schema `vu.json` says the same, whole. */

const pairs = (name: string, label: string, item: string): Field => ({
  kind: 'list',
  name,
  label,
  item,
  isCompact: true,
  shape: plain(
    [
      { kind: 'text', name: 'name', label: 'Name', size: 'third' },
      { kind: 'text', name: 'value', label: 'Value' },
    ],
    { name: '', value: '' },
  ),
})

const enabled: Field = { kind: 'flag', name: 'enabled', label: 'Enabled' }

const milliseconds = (name: string, label: string): Field => ({
  kind: 'number',
  name,
  label: `${label} (ms)`,
  size: 'half',
})

export const durationShape: Shape = {
  by: 'distribution',
  variants: {
    constant: { label: 'Always the same', fields: [milliseconds('ms', 'Time')], start: { ms: 1000 } },
    uniform: {
      label: 'Evenly between two',
      fields: [milliseconds('min_ms', 'At least'), milliseconds('max_ms', 'At most')],
      start: { min_ms: 500, max_ms: 1500 },
    },
    gaussian: {
      label: 'Around a mean',
      fields: [milliseconds('mean_ms', 'Mean'), milliseconds('deviation_ms', 'Standard deviation')],
      start: { mean_ms: 1000, deviation_ms: 250 },
    },
  },
}
const oneSecond = { distribution: 'constant', ms: 1000 }

const comparison = { left: '', operator: 'equals', right: '' }
const conditionField: Field = {
  kind: 'object',
  name: 'condition',
  label: 'Condition',
  shape: plain(
    [
      {
        kind: 'choice',
        name: 'combine',
        label: 'Holds when',
        choices: [
          { id: 'all', label: 'all comparisons hold' },
          { id: 'any', label: 'any comparison holds' },
        ],
      },
      {
        kind: 'list',
        name: 'comparisons',
        label: 'Comparisons',
        item: 'comparison',
        isCompact: true,
        shape: plain(
          [
            { kind: 'text', name: 'left', label: 'Left', placeholder: '${status}' },
            {
              kind: 'choice',
              name: 'operator',
              label: 'Operator',
              choices: choicesOf(
                'equals',
                'not_equals',
                'contains',
                'not_contains',
                'matches',
                'less',
                'less_or_equal',
                'greater',
                'greater_or_equal',
                'empty',
                'not_empty',
              ),
            },
            { kind: 'text', name: 'right', label: 'Right' },
          ],
          comparison,
        ),
      },
    ],
    {},
  ),
}
const condition = { combine: 'all', comparisons: [comparison] }

const part: Field = {
  kind: 'choice',
  name: 'part',
  label: 'Looks in',
  size: 'third',
  choices: [
    { id: 'body', label: 'body' },
    { id: 'headers', label: 'headers' },
    { id: 'url', label: 'address that answered' },
    { id: 'status_line', label: 'status line' },
  ],
}
const flags: Field = { kind: 'text', name: 'flags', label: 'Flags', size: 'third', placeholder: 'i m s u' }
const variableField: Field = { kind: 'text', name: 'variable', label: 'Into the variable', size: 'half' }

const extractorStart = { id: '', variable: '', match: 1, default: null, enabled: true }
const extractorVariant = (label: string, fields: readonly Field[], start: object): Variant => ({
  label,
  fields: [
    variableField,
    { kind: 'match', name: 'match', label: 'Which one', size: 'half' },
    ...fields,
    {
      kind: 'text',
      name: 'default',
      label: 'When nothing is found',
      isNullable: true,
      placeholder: 'The request fails',
    },
    enabled,
  ],
  start: { ...extractorStart, ...start },
})

const extractorShape: Shape = {
  by: 'type',
  variants: {
    regex: extractorVariant(
      'Regular expression',
      [
        { kind: 'text', name: 'pattern', label: 'Pattern', isCode: true },
        { kind: 'number', name: 'group', label: 'Group', size: 'third' },
        flags,
        part,
      ],
      { pattern: '', flags: '', group: 1, part: 'body' },
    ),
    json_path: extractorVariant(
      'JSONPath',
      [{ kind: 'text', name: 'path', label: 'Path', isCode: true, placeholder: '$.items[0].id' }],
      { path: '$' },
    ),
    css: extractorVariant(
      'CSS selector',
      [
        { kind: 'text', name: 'selector', label: 'Selector', isCode: true, size: 'half' },
        {
          kind: 'text',
          name: 'attribute',
          label: 'Attribute',
          isNullable: true,
          placeholder: 'Its text',
          size: 'half',
        },
      ],
      { selector: '', attribute: null },
    ),
    xpath: extractorVariant(
      'XPath',
      [{ kind: 'text', name: 'expression', label: 'Expression', isCode: true }],
      { expression: '' },
    ),
    boundaries: extractorVariant(
      'Between two texts',
      [
        { kind: 'text', name: 'left', label: 'After', isCode: true, size: 'third' },
        { kind: 'text', name: 'right', label: 'Before', isCode: true, size: 'third' },
        part,
      ],
      { left: '', right: '', part: 'body' },
    ),
    header: extractorVariant('Header', [{ kind: 'text', name: 'name', label: 'Header' }], { name: '' }),
    cookie: extractorVariant('Cookie', [{ kind: 'text', name: 'name', label: 'Cookie' }], { name: '' }),
  },
}

const assertionStart = { id: '', negate: false, message: null, enabled: true }
const assertionVariant = (label: string, fields: readonly Field[], start: object): Variant => ({
  label,
  fields: [
    ...fields,
    {
      kind: 'text',
      name: 'message',
      label: 'Said when it fails',
      isNullable: true,
      placeholder: 'What was seen',
    },
    { kind: 'flag', name: 'negate', label: 'It must not be so', size: 'half' },
    { ...enabled, size: 'half' },
  ],
  start: { ...assertionStart, ...start },
})
const equalsField: Field = {
  kind: 'text',
  name: 'equals',
  label: 'Equals',
  isNullable: true,
  placeholder: 'Anything',
  size: 'half',
}

const assertionShape: Shape = {
  by: 'type',
  variants: {
    status: assertionVariant(
      'Status',
      [
        {
          kind: 'texts',
          name: 'allowed',
          label: 'Allowed',
          hint: 'One on each line: 200, or 2xx for all of them.',
        },
      ],
      { allowed: ['2xx'] },
    ),
    body_contains: assertionVariant(
      'Body contains',
      [{ kind: 'text', name: 'text', label: 'Text', lines: 2 }],
      { text: '' },
    ),
    body_equals: assertionVariant(
      'Body equals',
      [{ kind: 'text', name: 'text', label: 'Text', lines: 4, isCode: true }],
      { text: '' },
    ),
    body_matches: assertionVariant(
      'Body matches',
      [{ kind: 'text', name: 'pattern', label: 'Pattern', isCode: true }, flags],
      { pattern: '', flags: '' },
    ),
    json_path: assertionVariant(
      'JSONPath',
      [{ kind: 'text', name: 'path', label: 'Path', isCode: true, size: 'half' }, equalsField],
      { path: '$', equals: null },
    ),
    xpath: assertionVariant(
      'XPath',
      [{ kind: 'text', name: 'expression', label: 'Expression', isCode: true, size: 'half' }, equalsField],
      { expression: '', equals: null },
    ),
    header: assertionVariant(
      'Header',
      [
        { kind: 'text', name: 'name', label: 'Header', size: 'third' },
        {
          kind: 'choice',
          name: 'comparison',
          label: 'Comparison',
          size: 'third',
          choices: choicesOf('exists', 'equals', 'contains', 'matches'),
        },
        { kind: 'text', name: 'value', label: 'Value', size: 'third' },
      ],
      { name: '', comparison: 'exists', value: '' },
    ),
    size: assertionVariant(
      'Size',
      [
        { kind: 'number', name: 'min_bytes', label: 'At least (bytes)', isNullable: true, size: 'half' },
        { kind: 'number', name: 'max_bytes', label: 'At most (bytes)', isNullable: true, size: 'half' },
      ],
      { min_bytes: null, max_bytes: null },
    ),
    duration: assertionVariant('Duration', [milliseconds('max_ms', 'At most')], { max_ms: 2000 }),
  },
}

const contentType = (placeholder: string, isNullable: boolean): Field => ({
  kind: 'text',
  name: 'content_type',
  label: 'Content type',
  size: 'half',
  placeholder,
  ...(isNullable ? { isNullable: true } : {}),
})
const filePath: Field = {
  kind: 'text',
  name: 'path',
  label: 'Project file',
  placeholder: 'uploads/photo.png',
  size: 'half',
}

const bodyShape: Shape = {
  by: 'type',
  variants: {
    raw: {
      label: 'Text',
      fields: [
        { kind: 'text', name: 'text', label: 'Text', lines: 8, isCode: true },
        contentType('As the headers say', true),
      ],
      start: { text: '', content_type: null },
    },
    json: {
      label: 'JSON',
      fields: [
        { kind: 'text', name: 'text', label: 'JSON', lines: 8, isCode: true },
        contentType('application/json', false),
      ],
      start: { text: '{}', content_type: 'application/json' },
    },
    form: { label: 'Form', fields: [pairs('fields', 'Fields', 'field')], start: { fields: [] } },
    multipart: {
      label: 'Form with files',
      fields: [
        {
          kind: 'list',
          name: 'parts',
          label: 'Parts',
          item: 'part',
          shape: {
            by: 'type',
            variants: {
              field: {
                label: 'Field',
                fields: [
                  { kind: 'text', name: 'name', label: 'Name', size: 'half' },
                  contentType('None', true),
                  { kind: 'text', name: 'value', label: 'Value', lines: 2 },
                ],
                start: { name: '', value: '', content_type: null },
              },
              file: {
                label: 'File',
                fields: [
                  { kind: 'text', name: 'name', label: 'Name', size: 'half' },
                  filePath,
                  {
                    kind: 'text',
                    name: 'file_name',
                    label: 'Name that the server is told',
                    isNullable: true,
                    placeholder: 'That of the file',
                    size: 'half',
                  },
                  contentType('application/octet-stream', false),
                ],
                start: {
                  name: '',
                  path: '',
                  file_name: null,
                  content_type: 'application/octet-stream',
                },
              },
            },
          },
        },
      ],
      start: { parts: [] },
    },
    file: {
      label: 'File',
      fields: [filePath, contentType('application/octet-stream', false)],
      start: { path: '', content_type: 'application/octet-stream' },
    },
    base64: {
      label: 'Bytes',
      fields: [
        { kind: 'text', name: 'data', label: 'Base64', lines: 6, isCode: true },
        contentType('As the headers say', true),
      ],
      start: { data: '', content_type: null },
    },
  },
}

const server: Field = { kind: 'server', name: 'server_id', label: 'Server', size: 'half' }
const resource: Shape = plain(
  [
    server,
    { kind: 'text', name: 'path', label: 'Path', size: 'half' },
    pairs('headers', 'Headers', 'header'),
    enabled,
  ],
  { id: '', server_id: '', path: '/', headers: [], enabled: true, recorded: null },
)

const requestFields: readonly Field[] = [
  {
    kind: 'choice',
    name: 'method',
    label: 'Method',
    size: 'third',
    choices: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((id) => ({
      id,
      label: id,
    })),
  },
  server,
  { kind: 'text', name: 'path', label: 'Path', isCode: true, placeholder: '/orders/${order_id}' },
  pairs('query', 'Query', 'parameter'),
  pairs('headers', 'Headers', 'header'),
  { kind: 'object', name: 'body', label: 'Body', isNullable: true, shape: bodyShape },
  { kind: 'list', name: 'extractors', label: 'Extractors', item: 'extractor', shape: extractorShape },
  { kind: 'list', name: 'assertions', label: 'Assertions', item: 'assertion', shape: assertionShape },
  {
    kind: 'object',
    name: 'redirects',
    label: 'Redirects',
    shape: plain(
      [
        { kind: 'flag', name: 'follow', label: 'Follow them', size: 'half' },
        { kind: 'number', name: 'max', label: 'At most', size: 'half' },
      ],
      {},
    ),
  },
  {
    kind: 'object',
    name: 'resources',
    label: 'What the page loads',
    shape: plain(
      [
        {
          kind: 'choice',
          name: 'mode',
          label: 'Resources',
          size: 'half',
          choices: [
            { id: 'none', label: 'None' },
            { id: 'listed', label: 'Those listed here' },
            { id: 'parsed', label: 'What the HTML names' },
          ],
        },
        { kind: 'number', name: 'parallel', label: 'At the same time', size: 'half' },
        { kind: 'list', name: 'list', label: 'Listed', item: 'resource', shape: resource },
      ],
      {},
    ),
  },
  {
    kind: 'number',
    name: 'timeout_ms',
    label: 'Timeout (ms)',
    isNullable: true,
    placeholder: 'That of the server',
    size: 'half',
  },
]

const connection: Field = { kind: 'text', name: 'connection', label: 'Connection', size: 'half' }

const locatorShape = (): Shape => locator
const locator: Shape = plain(
  [
    {
      kind: 'choice',
      name: 'by',
      label: 'By',
      size: 'third',
      choices: choicesOf(
        'role',
        'label',
        'text',
        'placeholder',
        'test_id',
        'title',
        'alt_text',
        'css',
        'xpath',
      ),
    },
    { kind: 'text', name: 'value', label: 'Value', size: 'third' },
    { kind: 'text', name: 'name', label: 'Name of the role', isNullable: true, size: 'third' },
    { kind: 'text', name: 'has_text', label: 'That has the text', isNullable: true, size: 'third' },
    {
      kind: 'number',
      name: 'nth',
      label: 'Which of several',
      isNullable: true,
      placeholder: 'The only one',
      size: 'third',
      hint: 'From 0; -1 is the last.',
    },
    { kind: 'flag', name: 'exact', label: 'Exactly so', size: 'third' },
    { kind: 'texts', name: 'frames', label: 'Frames to enter', hint: 'One selector on each line.' },
    { kind: 'object', name: 'within', label: 'Inside of', isNullable: true, shape: locatorShape },
  ],
  {
    by: 'role',
    value: 'button',
    name: null,
    exact: false,
    has_text: null,
    nth: null,
    frames: [],
    within: null,
  },
)
const locatorStart = locator.variants['']?.start ?? {}

const locatorField: Field = { kind: 'object', name: 'locator', label: 'Element', shape: locator }
const orNothing = (label: string): Field => ({
  kind: 'object',
  name: 'locator',
  label,
  isNullable: true,
  shape: locator,
})
const attribute: Field = {
  kind: 'text',
  name: 'attribute',
  label: 'Attribute',
  isNullable: true,
  size: 'half',
}

const stepVariant = (label: string, fields: readonly Field[], start: object): Variant => ({
  label,
  fields: [
    ...fields,
    {
      kind: 'number',
      name: 'timeout_ms',
      label: 'Timeout (ms)',
      isNullable: true,
      placeholder: 'That of the action',
      size: 'half',
    },
    enabled,
  ],
  start: { id: '', enabled: true, timeout_ms: null, ...start },
})

const pageStepShape: Shape = {
  by: 'type',
  variants: {
    goto: stepVariant(
      'Go to',
      [server, { kind: 'text', name: 'path', label: 'Path with its query', size: 'half' }],
      { server_id: '', path: '/' },
    ),
    click: stepVariant(
      'Click',
      [
        locatorField,
        {
          kind: 'choice',
          name: 'button',
          label: 'Button',
          size: 'half',
          choices: choicesOf('left', 'middle', 'right'),
        },
        { kind: 'number', name: 'count', label: 'Times', size: 'half' },
      ],
      { locator: locatorStart, button: 'left', count: 1 },
    ),
    fill: stepVariant('Fill in', [locatorField, { kind: 'text', name: 'value', label: 'Text' }], {
      locator: { ...locatorStart, by: 'label', value: '' },
      value: '',
    }),
    type_text: stepVariant(
      'Type',
      [orNothing('Element, or what has the focus'), { kind: 'text', name: 'value', label: 'Text' }],
      { locator: null, value: '' },
    ),
    select: stepVariant(
      'Select',
      [locatorField, { kind: 'texts', name: 'values', label: 'Values', hint: 'One on each line.' }],
      { locator: locatorStart, values: [] },
    ),
    check: stepVariant('Tick', [locatorField, { kind: 'flag', name: 'checked', label: 'Ticked' }], {
      locator: { ...locatorStart, by: 'label', value: '' },
      checked: true,
    }),
    hover: stepVariant('Hover', [locatorField], { locator: locatorStart }),
    press: stepVariant(
      'Press a key',
      [
        orNothing('Element, or what has the focus'),
        { kind: 'text', name: 'key', label: 'Key', placeholder: 'Enter, Control+A' },
      ],
      { locator: null, key: 'Enter' },
    ),
    set_files: stepVariant(
      'Choose files',
      [locatorField, { kind: 'texts', name: 'paths', label: 'Project files', hint: 'One on each line.' }],
      { locator: { ...locatorStart, by: 'label', value: '' }, paths: [] },
    ),
    go: stepVariant(
      'Back, forward, reload',
      [{ kind: 'choice', name: 'to', label: 'Go', choices: choicesOf('back', 'forward', 'reload') }],
      { to: 'back' },
    ),
    use_page: stepVariant(
      'Use a page',
      [{ kind: 'number', name: 'page', label: 'Page', hint: 'In the order in which they opened, from 0.' }],
      { page: 0 },
    ),
    wait_for: stepVariant(
      'Wait for',
      [
        orNothing('Element'),
        {
          kind: 'choice',
          name: 'state',
          label: 'Until it is',
          size: 'third',
          choices: choicesOf('visible', 'hidden', 'attached', 'detached'),
        },
        {
          kind: 'choice',
          name: 'load_state',
          label: 'Until the page is',
          size: 'third',
          isNullable: true,
          choices: choicesOf('load', 'domcontentloaded', 'networkidle'),
        },
        { kind: 'text', name: 'url', label: 'Address, as a glob', isNullable: true, size: 'third' },
      ],
      { locator: null, state: 'visible', url: null, load_state: null },
    ),
    expect: stepVariant(
      'Expect',
      [
        orNothing('Element, or the page'),
        {
          kind: 'choice',
          name: 'what',
          label: 'That its',
          size: 'third',
          choices: choicesOf(
            'visible',
            'hidden',
            'text',
            'value',
            'checked',
            'enabled',
            'disabled',
            'count',
            'attribute',
            'title',
            'url',
          ),
        },
        {
          kind: 'choice',
          name: 'comparison',
          label: 'Comparison',
          size: 'third',
          choices: choicesOf('equals', 'contains', 'matches'),
        },
        { kind: 'text', name: 'expected', label: 'Expected', size: 'third' },
        attribute,
        { kind: 'flag', name: 'negate', label: 'It must not be so', size: 'half' },
      ],
      {
        locator: null,
        what: 'visible',
        attribute: null,
        comparison: 'equals',
        expected: '',
        negate: false,
      },
    ),
    extract: stepVariant('Extract', [orNothing('Element, or the address'), attribute, variableField], {
      locator: null,
      attribute: null,
      variable: '',
    }),
  },
}

/** What every action has. */
export const commonFields: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', size: 'half' },
  { kind: 'text', name: 'comment', label: 'Comment', size: 'half' },
  enabled,
]
const common = { name: '', comment: '', enabled: true }

export interface ActionKind {
  /** As it is called where one is added. */
  label: string
  fields: readonly Field[]
  start: object
}

const socketFields: readonly Field[] = [connection]

/** Every kind of action, by `type`; of web sockets, by `websocket:` and the operation. */
export const actionKinds: Readonly<Record<string, ActionKind>> = {
  http_request: {
    label: 'HTTP request',
    fields: requestFields,
    start: {
      ...common,
      method: 'GET',
      server_id: '',
      path: '/',
      query: [],
      headers: [],
      body: null,
      redirects: { follow: true, max: 20, recorded: [] },
      timeout_ms: null,
      resources: { mode: 'none', parallel: 6, list: [] },
      extractors: [],
      assertions: [],
      recorded: null,
      disabled_reason: null,
    },
  },
  container: { label: 'Container', fields: [], start: { ...common, actions: [] } },
  delay: {
    label: 'Think time',
    fields: [
      { kind: 'object', name: 'duration', label: 'How long', shape: durationShape },
      { kind: 'flag', name: 'is_scaled', label: 'The think time factor applies' },
    ],
    start: { ...common, duration: oneSecond, is_scaled: true },
  },
  pacing: {
    label: 'Pacing',
    fields: [
      {
        kind: 'object',
        name: 'interval',
        label: 'From one start of the iteration to the next, at least',
        shape: durationShape,
      },
    ],
    start: { ...common, interval: oneSecond },
  },
  if: {
    label: 'If',
    fields: [conditionField],
    start: { ...common, condition, actions: [], else_actions: [] },
  },
  while: {
    label: 'While',
    fields: [
      conditionField,
      {
        kind: 'number',
        name: 'iterations_max',
        label: 'Rounds at most',
        hint: 'Ending there is a failure.',
        size: 'half',
      },
    ],
    start: { ...common, condition, iterations_max: 1000, actions: [] },
  },
  loop: {
    label: 'Loop',
    fields: [
      {
        kind: 'text',
        name: 'count',
        label: 'Times',
        hint: 'A number, or a variable that holds one.',
        size: 'half',
      },
    ],
    start: { ...common, count: '2', actions: [] },
  },
  for_each: {
    label: 'For each',
    fields: [
      { kind: 'text', name: 'list', label: 'Variable with several values', size: 'half' },
      { kind: 'text', name: 'variable', label: 'Gets one after the other', size: 'half' },
    ],
    start: { ...common, list: '', variable: '', actions: [] },
  },
  random: {
    label: 'Random choice',
    fields: [
      {
        kind: 'list',
        name: 'choices',
        label: 'Choices',
        item: 'choice',
        isCompact: true,
        shape: plain(
          [
            { kind: 'number', name: 'weight', label: 'Weight', size: 'third' },
            { kind: 'text', name: 'name', label: 'Name' },
          ],
          { weight: 1, name: '', actions: [] },
        ),
      },
    ],
    start: {
      ...common,
      choices: [
        { weight: 1, name: '', actions: [] },
        { weight: 1, name: '', actions: [] },
      ],
    },
  },
  once: { label: 'Only in the first iteration', fields: [], start: { ...common, actions: [] } },
  set_variable: {
    label: 'Set a variable',
    fields: [
      { kind: 'text', name: 'variable', label: 'Variable', size: 'half' },
      { kind: 'text', name: 'value', label: 'Value', lines: 2 },
    ],
    start: { ...common, variable: '', value: '' },
  },
  script: {
    label: 'Script',
    fields: [
      {
        kind: 'text',
        name: 'source',
        label: 'JavaScript',
        hint: 'Runs in a sandbox, without a network or files.',
        lines: 14,
        isCode: true,
      },
      milliseconds('timeout_ms', 'Processor time, at most'),
    ],
    start: { ...common, source: '', timeout_ms: 1000 },
  },
  page: {
    label: 'Page in a browser',
    fields: [
      { kind: 'list', name: 'steps', label: 'Steps', item: 'step', shape: pageStepShape },
      milliseconds('timeout_ms', 'Timeout of each step'),
    ],
    start: { ...common, steps: [], timeout_ms: 30_000 },
  },
  'websocket:connect': {
    label: 'Web socket: connect',
    fields: [
      ...socketFields,
      server,
      { kind: 'text', name: 'path', label: 'Path with its query' },
      pairs('headers', 'Headers', 'header'),
      { kind: 'texts', name: 'subprotocols', label: 'Subprotocols', hint: 'One on each line.' },
      milliseconds('timeout_ms', 'Timeout'),
    ],
    start: {
      ...common,
      operation: 'connect',
      connection: 'default',
      server_id: '',
      path: '/',
      headers: [],
      subprotocols: [],
      timeout_ms: 30_000,
      recorded: null,
    },
  },
  'websocket:send': {
    label: 'Web socket: send',
    fields: [
      ...socketFields,
      { kind: 'choice', name: 'format', label: 'Format', size: 'half', choices: choicesOf('text', 'base64') },
      { kind: 'text', name: 'message', label: 'Message', lines: 4, isCode: true },
    ],
    start: { ...common, operation: 'send', connection: 'default', format: 'text', message: '' },
  },
  'websocket:expect': {
    label: 'Web socket: expect',
    fields: [
      ...socketFields,
      milliseconds('timeout_ms', 'Timeout'),
      { kind: 'text', name: 'contains', label: 'A message with', isNullable: true, size: 'half' },
      { kind: 'text', name: 'pattern', label: 'That matches', isNullable: true, isCode: true, size: 'half' },
      { kind: 'list', name: 'extractors', label: 'Extractors', item: 'extractor', shape: extractorShape },
      { kind: 'list', name: 'assertions', label: 'Assertions', item: 'assertion', shape: assertionShape },
    ],
    start: {
      ...common,
      operation: 'expect',
      connection: 'default',
      contains: null,
      pattern: null,
      timeout_ms: 30_000,
      extractors: [],
      assertions: [],
    },
  },
  'websocket:close': {
    label: 'Web socket: close',
    fields: [...socketFields, { kind: 'number', name: 'code', label: 'Code', size: 'half' }],
    start: { ...common, operation: 'close', connection: 'default', code: 1000 },
  },
}

/** The key of an action in `actionKinds`. */
export function kindOf(action: Readonly<Record<string, unknown>>): string {
  const type = String(action['type'])
  return type === 'websocket' ? `websocket:${String(action['operation'])}` : type
}

const keepAndClear = (name: string, label: string, keep: string): Field => ({
  kind: 'object',
  name,
  label,
  shape: plain(
    [
      { kind: 'flag', name: 'keep', label: keep, size: 'half' },
      { kind: 'flag', name: 'clear_each_iteration', label: 'Emptied before each iteration', size: 'half' },
    ],
    {},
  ),
})

/** Of the virtual user itself. */
export const virtualUserFields: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', size: 'half' },
  {
    kind: 'number',
    name: 'think_time_factor',
    label: 'Think time factor',
    hint: 'Think times take this many times as long.',
    size: 'half',
  },
  { kind: 'text', name: 'description', label: 'Description', lines: 3 },
  { kind: 'texts', name: 'tags', label: 'Tags', hint: 'One on each line.' },
  {
    kind: 'text',
    name: 'user_agent',
    label: 'User agent',
    isNullable: true,
    placeholder: 'That of the platform',
  },
  keepAndClear('cookies', 'Cookies', 'Kept, as a browser keeps them'),
  keepAndClear('cache', 'Cache', 'Kept: fresh answers are not asked for again'),
]
