import { choicesOf, type Field, plain } from '../documents/field.ts'

/** The fields of an HTTP server, as forms show them. */

const secretHint = 'Name a secret variable: ${password}.'
const userAndPassword: readonly Field[] = [
  { kind: 'text', name: 'user_name', label: 'User name', size: 'half' },
  { kind: 'text', name: 'password', label: 'Password', size: 'half', hint: secretHint },
]

export const httpServerFields: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', size: 'third' },
  { kind: 'text', name: 'base_url', label: 'Base URL', hint: 'Paths of requests are put behind it.' },
  {
    kind: 'list',
    name: 'headers',
    label: 'Headers of every request',
    item: 'header',
    isCompact: true,
    shape: plain(
      [
        { kind: 'text', name: 'name', label: 'Name', size: 'third' },
        { kind: 'text', name: 'value', label: 'Value' },
      ],
      { name: '', value: '' },
    ),
  },
  {
    kind: 'object',
    name: 'authentication',
    label: 'Authentication',
    shape: {
      by: 'type',
      variants: {
        none: { label: 'None', fields: [], start: {} },
        basic: { label: 'Basic', fields: userAndPassword, start: { user_name: '', password: '' } },
        bearer: {
          label: 'Bearer token',
          fields: [
            { kind: 'text', name: 'token', label: 'Token', hint: 'Name a secret variable: ${api_token}.' },
          ],
          start: { token: '' },
        },
        digest: { label: 'Digest', fields: userAndPassword, start: { user_name: '', password: '' } },
      },
    },
  },
  {
    kind: 'object',
    name: 'tls',
    label: 'TLS',
    shape: plain(
      [
        { kind: 'flag', name: 'verify', label: 'The certificate has to be good' },
        {
          kind: 'text',
          name: 'server_name',
          label: 'Server name (SNI)',
          size: 'half',
          isNullable: true,
          placeholder: 'The host',
        },
        {
          kind: 'choice',
          name: 'min_version',
          label: 'At least',
          size: 'half',
          choices: choicesOf('TLSv1.2', 'TLSv1.3'),
        },
      ],
      {},
    ),
  },
  {
    kind: 'choice',
    name: 'http_version',
    label: 'HTTP version',
    size: 'third',
    choices: [
      { id: 'http/1.1', label: 'HTTP/1.1' },
      { id: 'h2', label: 'HTTP/2' },
    ],
  },
  { kind: 'number', name: 'connect_timeout_ms', label: 'Timeout to connect (ms)', size: 'third' },
  { kind: 'number', name: 'timeout_ms', label: 'Timeout of a request (ms)', size: 'third' },
]
