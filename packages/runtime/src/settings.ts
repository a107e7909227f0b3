import { isIP } from 'node:net'
import { readTargetHost } from '@flamegate/contract/target-host'
import { z } from 'zod'
import { logLevels } from './logger.ts'
import { allowedTargets } from './outbound/allowed-targets.ts'

/** Settings that several apps share: one name, one rule and one description for each. */

/**
 * Ports above 1023 that browsers and fetch refuse to talk to: https://fetch.spec.whatwg.org/#port-blocking
 */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

const port = z.coerce
  .number()
  .int()
  .min(0)
  .max(65_535)
  .refine((value) => !blockedPorts.has(value), 'Browsers refuse to open this port.')

/** A comma-separated list as an array; empty when nothing was given. */
export const listSetting = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/** A list of which each entry is looked at. `words` say what an entry is. */
export function listOf(isOne: (entry: string) => boolean, words: string) {
  return listSetting.superRefine((entries, context) => {
    for (const entry of entries.filter((each) => !isOne(each)))
      context.addIssue({ code: 'custom', message: `${entry} is no ${words}.` })
  })
}

/** https://github.com/jshttp/proxy-addr#pre-defined-address-ranges, which Fastify asks. */
const namedRanges = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isProxyRange(entry: string): boolean {
  if (namedRanges.has(entry)) return true
  const [address = '', prefix, ...more] = entry.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isPrefix =
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits)
  return bits > 0 && isPrefix && more.length === 0
}

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
  .meta({ secret: true, kind: 'a postgres:// URL' })

export const logSettings = {
  FLAMEGATE_LOG_LEVEL: z.enum(logLevels).default('info').describe('How much is logged.'),
  FLAMEGATE_LOG_FORMAT: z
    .enum(['json', 'text'])
    .optional()
    .describe('Text on a terminal and JSON elsewhere when left out.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .optional()
    .describe('Where OpenTelemetry traces are sent, as OTLP over HTTP; none are made when left out.')
    .meta({ kind: 'a URL' }),
  FLAMEGATE_TRACE_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('How many of all traces are made, 0 to 1; the same for every process.'),
}

export const serverSettings = (defaultPort: number) => ({
  ...logSettings,
  FLAMEGATE_HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all.'),
  FLAMEGATE_PORT: port.default(defaultPort).describe('Port to listen on; 0 takes a free one.'),
  FLAMEGATE_TRUSTED_PROXIES: listOf(isProxyRange, 'address or CIDR range')
    .describe('Addresses or CIDR ranges of reverse proxies whose X-Forwarded headers are believed.')
    .meta({ kind: 'a list, comma-separated' }),
  FLAMEGATE_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'How long a process that is told to stop goes on answering while /readyz is red, so that load balancers notice.',
    ),
  FLAMEGATE_METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token that may read /metrics from elsewhere than this machine.')
    .meta({ secret: true, kind: 'text of at least 16 characters' }),
})

/** Of a process that serves nobody, and can be asked how it does. */
export const watchedSettings = {
  FLAMEGATE_HOST: serverSettings(0).FLAMEGATE_HOST,
  FLAMEGATE_PORT: port
    .optional()
    .describe('Port for /healthz, /readyz and /metrics; none is opened when left out.'),
  FLAMEGATE_METRICS_TOKEN: serverSettings(0).FLAMEGATE_METRICS_TOKEN,
}

/** Where people reach Flamegate from outside: an origin, without a trailing slash. */
export const publicUrlSetting = z
  .url({ protocol: /^https?$/, hostname: /.*/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .superRefine((url, context) => {
    const origin = URL.parse(url)?.origin
    if (origin === undefined || origin === url) return
    context.addIssue({ code: 'custom', message: `It takes nothing but an origin, such as ${origin}.` })
  })
  .describe(
    'Where people and clients reach it, such as https://flamegate.example.com: issuer, links and cookies follow it.',
  )
  .meta({ kind: 'a URL' })

export const internalUrlSetting = z
  .url({ protocol: /^https?$/, hostname: /.*/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
  .describe('Where workers reach the gateway to print reports, when they cannot at the public URL.')
  .meta({ kind: 'a URL' })

export const databaseSettings = {
  FLAMEGATE_DATABASE_APP_URL: postgresUrl.describe(
    'Postgres as flamegate_app: operations, under row-level security.',
  ),
  FLAMEGATE_DATABASE_AUTH_URL: postgresUrl.describe(
    'Postgres as flamegate_auth: people, sessions, tokens, OAuth.',
  ),
  FLAMEGATE_DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Connections for operations.'),
}

const redisUrl = z
  .url({ protocol: /^rediss?$/, hostname: /.*/ })
  .optional()
  .describe(
    'Redis for the job queue and for counting calls; without it jobs wait in Postgres, and each process counts its own.',
  )
  .meta({ secret: true, kind: 'a redis:// URL' })

/** Of everything that counts calls and requests. */
export const limitSettings = {
  REDIS_URL: redisUrl,
  FLAMEGATE_RATE_LIMITS: z
    .union([z.literal('off'), z.coerce.number().positive().max(1_000_000)])
    .default(1)
    .describe('Multiplies the limits of calls; `off` lifts them, for load tests of Flamegate itself.')
    .meta({ kind: 'a number, or off' }),
}

export const queueSettings = {
  REDIS_URL: redisUrl,
  FLAMEGATE_DATABASE_QUEUE_URL: postgresUrl
    .optional()
    .describe('Postgres as flamegate_queue, for jobs without Redis.'),
}

export const storageSettings = {
  S3_BUCKET: z
    .string()
    .min(3)
    .max(63)
    .optional()
    .describe('Bucket for uploads; a folder is used when left out.')
    .meta({ kind: 'text of 3 to 63 characters' }),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .optional()
    .describe('Endpoint of an S3-compatible store other than AWS, with http:// or https://.'),
  S3_PUBLIC_ENDPOINT: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .optional()
    .describe('How browsers and clients reach S3_ENDPOINT, when that is a name inside a private network.'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Access key of the bucket.').meta({ secret: true }),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of the access key.').meta({ secret: true }),
  S3_FORCE_PATH_STYLE: z
    .stringbool()
    .default(false)
    .describe('Bucket in the path instead of the host name, as many S3-compatible stores want it.'),
  FLAMEGATE_STORAGE_DIR: z.string().optional().describe('Folder for uploads when there is no bucket.'),
}

/** Where the keys are that wrap the keys in the database. The same for all processes. */
export const masterKeySettings = {
  FLAMEGATE_KEY_PROVIDER: z
    .enum(['database', 'environment', 'file', 'vault'])
    .default('database')
    .describe(
      'Where the master key is that keys in the database are wrapped with; `database`: there is none, and they lie there as they are. What the others that are set wrapped is opened, too.',
    ),
  FLAMEGATE_MASTER_KEYS: z
    .string()
    .optional()
    .describe(
      'Master keys of `environment`, 32 bytes each in base64: the first one wraps, all of them unwrap.',
    )
    .meta({ secret: true, kind: 'a list, comma-separated' }),
  FLAMEGATE_MASTER_KEY_FILE: z
    .string()
    .optional()
    .describe('A file with the same, for `file`; one key a line.'),
  VAULT_ADDR: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .optional()
    .describe('Vault or OpenBao with a transit engine, for `vault`.')
    .meta({ kind: 'a URL' }),
  VAULT_TOKEN: z
    .string()
    .optional()
    .describe('Token that may encrypt and decrypt there.')
    .meta({ secret: true }),
  FLAMEGATE_VAULT_KEY: z
    .string()
    .regex(/^[\w-]+(\/[\w-]+)+$/)
    .default('transit/flamegate')
    .describe('Mount and name of the key there.')
    .meta({ kind: 'text such as transit/flamegate' }),
}

/** Of everything that sends mails. */
export const mailSettings = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /.*/ })
    .optional()
    .describe(
      'Mail server. With it, e-mail addresses must be confirmed; without it, mails are written to the log at level info.',
    )
    .meta({ secret: true, kind: 'a URL such as smtp://user:password@mail.example.com:587' }),
  FLAMEGATE_MAIL_FROM: z
    .string()
    .optional()
    .describe('Sender of mails; flamegate@ the host of the public URL when left out.'),
}

/** What the installation keeps at most, where plans keep more. */
export const retentionSettings = {
  FLAMEGATE_BENCH_RESULT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe(
      'How long what load tests measured is kept after their end at most, but for baselines; as long as the plan says when left out.',
    ),
  FLAMEGATE_LIVE_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(8760)
    .optional()
    .describe('How long what live apps told is kept at most; as long as the plan says when left out.'),
}

/** As `readConfig` gives it. */
export interface Retention {
  FLAMEGATE_BENCH_RESULT_DAYS?: number | undefined
  FLAMEGATE_LIVE_HOURS?: number | undefined
}

/** Of everything that tells others of what happens in projects. */
export const notificationSettings = {
  ...mailSettings,
  FLAMEGATE_WEBHOOKS_TO_LOOPBACK: z
    .stringbool()
    .default(false)
    .describe('Lets webhooks go to this machine, over http too: for tests and single-machine set-ups.'),
  FLAMEGATE_GITHUB_API_URL: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .default('https://api.github.com')
    .transform((url) => url.replace(/\/+$/, ''))
    .describe(
      'REST API of the GitHub that pull requests are reported to; of GitHub Enterprise Server https://<host>/api/v3.',
    )
    .meta({ kind: 'a URL' }),
}

/** Of everything that aims virtual users at servers. */
export const targetSettings = {
  FLAMEGATE_TARGETS_ALLOWED: listSetting
    .superRefine((entries, context) => {
      try {
        allowedTargets(entries)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        context.addIssue({ code: 'custom', message: error.message })
      }
    })
    .describe(
      'Hosts, *.domains, addresses and CIDR ranges that virtual users of every project may be aimed at without a proof. Private addresses are refused unless they are named here.',
    )
    .meta({ kind: 'a list, comma-separated' }),
}

/** Of whatever looks for proofs in the DNS. */
export const dnsSettings = {
  FLAMEGATE_DNS_SERVERS: listSetting
    .refine(
      (servers) => servers.every((server) => isIP(server.replace(/^\[(.*)\](?::\d+)?$|:\d+$/, '$1')) !== 0),
      'Write addresses, perhaps with a port: 10.0.0.53 or 10.0.0.53:5353.',
    )
    .describe('Name servers that are asked for proofs of hosts and domains; the system’s when left out.')
    .meta({ kind: 'a list, comma-separated' }),
}

/** Of single sign-on by providers of workspaces. */
export const ssoSettings = {
  FLAMEGATE_SSO_DOMAINS: listSetting
    .transform((entries) =>
      entries.map((entry) =>
        entry
          .toLowerCase()
          .split('=', 2)
          .map((part) => part.trim()),
      ),
    )
    .pipe(
      z.array(
        z.tuple([
          z
            .string()
            .refine((domain) => readTargetHost(domain) === domain, 'Write domain=ws_…, without a port.'),
          z.string().min(1, 'Write domain=ws_….'),
        ]),
      ),
    )
    .describe(
      'Domains of e-mail addresses that are a workspace’s without a proof in the DNS, as domain=ws_…: it can log in whoever has an address there.',
    )
    .meta({ kind: 'a list of domain=workspace id, comma-separated' }),
}
