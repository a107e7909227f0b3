import type { z } from 'zod'
import { correlationRule, type CorrelationRule } from '../model/correlation-rule.ts'
import { escapeRegex } from '../text/escape-regex.ts'

/** Rules for a framework, ready to be copied into a project. */
export interface CorrelationFramework {
  /** Name in rules: `rails`. */
  id: string
  title: string
  description: string
  rules: CorrelationRule[]
}

type Draft = Omit<z.input<typeof correlationRule>, 'framework' | 'schema_version'>

function framework(id: string, title: string, description: string, drafts: Draft[]): CorrelationFramework {
  return {
    id,
    title,
    description,
    rules: drafts.map((draft) => correlationRule.parse({ ...draft, framework: id })),
  }
}

/** Value of an input by its name, in either order of the attributes and with either quotes. */
function inputPattern(name: string): string {
  const own = escapeRegex(name)
  return String.raw`<input\b(?=[^<>]*?\bname=["']${own}["'])[^<>]*?\bvalue=["']([^"'>]+)["']`
}

/** Content of a meta tag by its name. */
function metaPattern(name: string): string {
  const own = escapeRegex(name)
  return String.raw`<meta\b(?=[^<>]*?\bname=["']${own}["'])[^<>]*?\bcontent=["']([^"'>]+)["']`
}

const input = (name: string): Draft['source'] => ({ type: 'regex', pattern: inputPattern(name) })
const meta = (name: string): Draft['source'] => ({ type: 'regex', pattern: metaPattern(name) })

/** Parameter of an address to which an answer redirects, or which it has in a link. */
const redirectParameter = (name: string): Draft['source'] => ({
  type: 'regex',
  part: 'headers',
  pattern: String.raw`(?:^|\n)location:[^\r\n]*[?&#]${escapeRegex(name)}=([^&#\s]+)`,
})
/** Parameter of the address that answered, after redirects that were followed. */
const urlParameter = (name: string): Draft['source'] => ({
  type: 'regex',
  part: 'url',
  pattern: String.raw`[?&]${escapeRegex(name)}=([^&#]+)`,
})
const json = (path: string): Draft['source'] => ({ type: 'json_path', path })

/** The rules that are there for everybody, by framework. */
export const correlationFrameworks: readonly CorrelationFramework[] = [
  framework('rails', 'Ruby on Rails', 'The authenticity token of forms and of requests by JavaScript.', [
    { name: 'Rails authenticity_token', source: input('authenticity_token'), variable: 'authenticity_token' },
    { name: 'Rails csrf-token', source: meta('csrf-token'), variable: 'csrf_token' },
  ]),
  framework(
    'django',
    'Django',
    'The CSRF token of forms, and of the cookie that scripts send as X-CSRFToken.',
    [
      {
        name: 'Django csrfmiddlewaretoken',
        source: input('csrfmiddlewaretoken'),
        variable: 'csrfmiddlewaretoken',
      },
      {
        name: 'Django csrftoken cookie',
        source: { type: 'cookie', name: 'csrftoken' },
        variable: 'csrftoken',
        targets: ['header', 'body'],
      },
    ],
  ),
  framework(
    'spring',
    'Spring Security',
    'The CSRF token of forms, of meta tags and of the cookie for scripts.',
    [
      { name: 'Spring _csrf', source: input('_csrf'), variable: 'csrf' },
      { name: 'Spring _csrf meta', source: meta('_csrf'), variable: 'csrf_meta' },
      {
        name: 'Spring XSRF-TOKEN cookie',
        source: { type: 'cookie', name: 'XSRF-TOKEN' },
        variable: 'xsrf_token',
        targets: ['header', 'body', 'query'],
      },
    ],
  ),
  framework(
    'aspnet',
    'ASP.NET',
    'State of Web Forms, also as partial updates send it, and the antiforgery token.',
    [
      ...['__VIEWSTATE', '__EVENTVALIDATION', '__VIEWSTATEGENERATOR', '__PREVIOUSPAGE'].flatMap(
        (name): Draft[] => [
          {
            name: `ASP.NET ${name}`,
            source: input(name),
            variable: name.slice(2).toLowerCase(),
            targets: ['body'],
          },
          {
            name: `ASP.NET ${name} of an update`,
            source: { type: 'boundaries', left: `|hiddenField|${name}|`, right: '|' },
            variable: name.slice(2).toLowerCase(),
            targets: ['body'],
          },
        ],
      ),
      {
        name: 'ASP.NET antiforgery token',
        source: input('__RequestVerificationToken'),
        variable: 'request_verification_token',
      },
    ],
  ),
  framework('laravel', 'Laravel', 'The CSRF token of forms, of the meta tag and of the cookie for scripts.', [
    { name: 'Laravel _token', source: input('_token'), variable: 'token' },
    { name: 'Laravel csrf-token', source: meta('csrf-token'), variable: 'csrf_token' },
    {
      name: 'Laravel XSRF-TOKEN cookie',
      source: { type: 'cookie', name: 'XSRF-TOKEN' },
      variable: 'xsrf_token',
      targets: ['header'],
    },
  ]),
  framework('wordpress', 'WordPress', 'Nonces of forms, of links, of the REST interface and of admin-ajax.', [
    { name: 'WordPress _wpnonce', source: input('_wpnonce'), variable: 'wpnonce' },
    {
      name: 'WordPress REST nonce',
      source: {
        type: 'regex',
        pattern: String.raw`(?:wpApiSettings|createNonceMiddleware)[^;]{0,300}?["']?(?:nonce["']?\s*:\s*|\(\s*)["']([0-9a-f]{10})["']`,
      },
      variable: 'wp_rest_nonce',
    },
    {
      name: 'WordPress link nonce',
      source: { type: 'regex', pattern: String.raw`[?&;]_wpnonce=([0-9a-f]{10})\b` },
      variable: 'wpnonce_link',
      targets: ['query', 'body'],
    },
    {
      name: 'WordPress script nonce',
      source: {
        type: 'regex',
        pattern: String.raw`["'](?:\w+_)?(?:ajax_)?nonce["']\s*:\s*["']([0-9a-f]{10})["']`,
      },
      variable: 'wp_nonce',
    },
  ]),
  framework(
    'jsf',
    'JavaServer Faces',
    'State of a view, of Jakarta too, and as partial answers send it.',
    ['javax', 'jakarta'].flatMap((prefix): Draft[] => [
      {
        name: `JSF ${prefix}.faces.ViewState`,
        source: input(`${prefix}.faces.ViewState`),
        variable: 'view_state',
        targets: ['body'],
        target_name: `${prefix}.faces.ViewState`,
      },
      {
        name: `JSF ${prefix}.faces.ViewState of a partial answer`,
        source: {
          type: 'regex',
          pattern: String.raw`<update id="[^"]*${prefix}\.faces\.ViewState[^"]*"><!\[CDATA\[(.*?)\]\]>`,
        },
        variable: 'view_state',
        targets: ['body'],
        target_name: `${prefix}.faces.ViewState`,
      },
    ]),
  ),
  framework(
    'oauth',
    'OAuth 2 and OpenID Connect',
    'Code, state and nonce of redirects, and tokens. A recorded code_verifier belongs to a code_challenge that was sent before: both are made by the client, can stay as they are, and need no rule.',
    [
      ...[
        'code',
        'state',
        'nonce',
        'session_code',
        'session_state',
        'execution',
        'tab_id',
        'login_challenge',
        'consent_challenge',
      ].flatMap((name): Draft[] => [
        { name: `OAuth ${name} of a redirect`, source: redirectParameter(name), variable: `oauth_${name}` },
        { name: `OAuth ${name} of the address`, source: urlParameter(name), variable: `oauth_${name}` },
      ]),
      ...['access_token', 'refresh_token', 'id_token', 'device_code'].map((name): Draft => ({
        name: `OAuth ${name}`,
        source: json(`$.${name}`),
        variable: name,
        length_min: 8,
      })),
      { name: 'OpenID form_post code', source: input('code'), variable: 'oauth_code', length_min: 8 },
      { name: 'OpenID form_post id_token', source: input('id_token'), variable: 'id_token', length_min: 8 },
      { name: 'OpenID form_post state', source: input('state'), variable: 'oauth_state' },
    ],
  ),
  framework(
    'saml',
    'SAML 2',
    'Request, response and relay state, as forms and redirects carry them.',
    ['SAMLRequest', 'SAMLResponse', 'RelayState'].flatMap((name): Draft[] => {
      const variable = name.replace('SAML', 'saml_').replace('RelayState', 'relay_state').toLowerCase()
      return [
        { name: `SAML ${name}`, source: input(name), variable },
        { name: `SAML ${name} of a redirect`, source: redirectParameter(name), variable },
      ]
    }),
  ),
  framework(
    'jwt',
    'JSON web tokens',
    'Tokens that JSON, scripts or headers bring, and requests send as bearer.',
    [
      ...['token', 'accessToken', 'access_token', 'jwt', 'idToken', 'id_token'].map((name): Draft => ({
        name: `JWT ${name}`,
        source: {
          type: 'regex',
          pattern: String.raw`["']?\b${name}\b["']?\s*[:=]\s*["'](eyJ[\w-]+\.[\w-]+\.[\w-]*)["']`,
        },
        variable: 'jwt',
        length_min: 20,
      })),
      {
        name: 'JWT anywhere',
        source: { type: 'regex', pattern: String.raw`["'](eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*)["']` },
        variable: 'jwt',
        length_min: 20,
      },
      {
        name: 'JWT of a header',
        source: {
          type: 'regex',
          part: 'headers',
          pattern: String.raw`(?:^|\n)(?:authorization|x-auth-token|x-access-token):\s*(?:bearer\s+)?(eyJ[\w-]+\.[\w-]+\.[\w-]*)`,
        },
        variable: 'jwt',
        length_min: 20,
      },
    ],
  ),
  framework('graphql', 'GraphQL', 'Ids that mutations and queries give: of the first object, edge or node.', [
    {
      name: 'GraphQL id of a mutation',
      source: {
        type: 'regex',
        pattern: String.raw`^\s*\{\s*"data"\s*:\s*\{\s*"(?:create|add|insert|start|open|begin)\w*"[^]{0,2000}?"id"\s*:\s*"([^"]+)"`,
      },
      variable: 'graphql_id',
    },
    {
      name: 'GraphQL id of a node',
      source: json('$.data.*.edges[0].node.id'),
      variable: 'graphql_node_id',
    },
    { name: 'GraphQL end cursor', source: json('$.data..pageInfo.endCursor'), variable: 'graphql_cursor' },
  ]),
  framework('nextjs', 'Next.js', 'Id of the build, in the paths of page data, and ids of server actions.', [
    {
      name: 'Next.js buildId',
      source: { type: 'regex', pattern: String.raw`"buildId"\s*:\s*"([^"]+)"` },
      variable: 'build_id',
      targets: ['path'],
    },
    {
      name: 'Next.js buildId of the manifest',
      source: { type: 'regex', pattern: String.raw`/_next/static/([^/"']+)/_buildManifest\.js` },
      variable: 'build_id',
      targets: ['path'],
    },
    {
      name: 'Next.js server action',
      source: { type: 'regex', pattern: String.raw`name="\$ACTION_ID_([0-9a-f]{40,42})"` },
      variable: 'action_id',
      targets: ['header', 'body'],
    },
  ]),
  framework('java', 'Java session in paths', 'The jsessionid that servlet containers write into addresses.', [
    {
      name: 'jsessionid in a link',
      source: { type: 'regex', pattern: String.raw`;jsessionid=([\w.!:-]+)` },
      variable: 'jsessionid',
      targets: ['path', 'query', 'body'],
    },
    {
      name: 'jsessionid of a redirect',
      source: {
        type: 'regex',
        part: 'headers',
        pattern: String.raw`location:[^\r\n]*;jsessionid=([\w.!:-]+)`,
      },
      variable: 'jsessionid',
      targets: ['path', 'query', 'body'],
    },
    {
      name: 'jsessionid of the address',
      source: { type: 'regex', part: 'url', pattern: String.raw`;jsessionid=([\w.!:-]+)` },
      variable: 'jsessionid',
      targets: ['path', 'query', 'body'],
    },
    {
      name: 'JSESSIONID cookie in paths',
      source: { type: 'cookie', name: 'JSESSIONID' },
      variable: 'jsessionid',
      targets: ['path', 'query', 'body'],
    },
  ]),
]
