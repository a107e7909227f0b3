import { hash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface PageHeaderOptions {
  publicUrl: string
  /** Origins that the pages send uploads to and get files from, besides our own. */
  storageOrigins?: readonly string[] | undefined
}

/**
 * The style sheets that React Aria puts into a page while it runs (usePress, usePreventScroll), letter by letter:
 * these two may stand in a page, any other may not.
 */
const insertedStyles = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
]

/**
 * For pages: everything a page loads comes from here, and nobody else's page may frame it. But one may open it: clients that
 * log in in a window of their own wait until it comes back to them, and with a Cross-Origin-Opener-Policy it never would.
 */
export async function addPageHeaders(app: FastifyInstance, options: PageHeaderOptions): Promise<void> {
  const { publicUrl, storageOrigins = [] } = options
  await addHeaders(
    app,
    publicUrl,
    {
      'style-src': ["'self'", ...insertedStyles.map(hashSource)],
      'connect-src': ["'self'", ...storageOrigins],
      'worker-src': ["'self'"],
      'form-action': ["'self'"],
    },
    { crossOriginOpenerPolicy: false },
  )
}

export interface DocsHeaderOptions {
  publicUrl: string
  /** Scripts that stand in the pages themselves, letter by letter. */
  inlineScripts: readonly string[]
}

/** For the documentation, which is made of our own files only: the colours of its examples are attributes, its icons data in style sheets. */
export async function addDocsHeaders(app: FastifyInstance, options: DocsHeaderOptions): Promise<void> {
  await addHeaders(app, options.publicUrl, {
    'script-src': ["'self'", ...options.inlineScripts.map(hashSource)],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'form-action': ["'none'"],
  })
}

/** For the status page, which is one file: its style stands in it, letter by letter, and it loads nothing. */
export async function addStatusHeaders(
  app: FastifyInstance,
  { publicUrl, style }: { publicUrl: string; style: string },
): Promise<void> {
  await addHeaders(app, publicUrl, {
    'script-src': ["'none'"],
    'style-src': [hashSource(style)],
    'form-action': ["'none'"],
  })
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

async function addHeaders(
  app: FastifyInstance,
  publicUrl: string,
  directives: Readonly<Record<string, string[]>>,
  more: Pick<FastifyHelmetOptions, 'crossOriginOpenerPolicy'> = {},
): Promise<void> {
  const isSecure = publicUrl.startsWith('https:')
  await app.register(helmet, {
    ...more,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        ...directives,
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    // The metadata and the token endpoint are for pages elsewhere too, where CORS says so.
    crossOriginResourcePolicy: false,
    // Says nothing that script-src does not, and old browsers misread it.
    xXssProtection: false,
  })
}

/** For REST: data, whatever it claims to be, and a reference page without scripts. */
export function addApiHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      )
  })
}
