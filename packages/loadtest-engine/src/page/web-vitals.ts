import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright'

/** What a page load was like for whoever looked at it (https://web.dev/articles/vitals); null where it was not measured. */
export interface WebVitals {
  ttfbMs: number | null
  fcpMs: number | null
  lcpMs: number | null
  cls: number | null
  inpMs: number | null
}

/** A page that was loaded and left again. */
export interface PageLoad extends WebVitals {
  /** The page action in which it began. */
  actionId: string
  url: string
  /** When its navigation began, in milliseconds since 1970. */
  startedAt: number
}

/** What a page says of itself, as it comes: with `url` it begins, with `value` it has measured. Pages may make it up. */
interface Said {
  load?: unknown
  url?: unknown
  startedAt?: unknown
  name?: unknown
  value?: unknown
}

const fieldOf: Readonly<Record<string, keyof WebVitals>> = {
  TTFB: 'ttfbMs',
  FCP: 'fcpMs',
  LCP: 'lcpMs',
  CLS: 'cls',
  INP: 'inpMs',
}

/** Loads of one page that are told, as long as it is not left by us: a page may reload itself for ever. */
const loadsMax = 100
const valueMax = 3_600_000
const leaveMs = 1000

/** Measures the pages of a context by the library that the field uses, and tells of each when it was left. */
export class VitalsWatch {
  /** The action that pages load for. */
  actionId = ''
  readonly #told: (load: PageLoad) => void
  readonly #loads = new Map<string, { page: Page; load: PageLoad }>()

  private constructor(told: (load: PageLoad) => void) {
    this.#told = told
  }

  /** Before the context has a page. */
  static async of(context: BrowserContext, told: (load: PageLoad) => void): Promise<VitalsWatch> {
    const watch = new VitalsWatch(told)
    await context.exposeBinding(bindingName, ({ page, frame }, said: Said) => {
      if (frame === page.mainFrame()) watch.#take(page, said)
    })
    await context.addInitScript({ content: await pageScript() })
    return watch
  }

  /** Tells of the loads that others have followed in the same page; what they had to say they have said. */
  tellLeft(): void {
    const current = new Map<Page, string>()
    for (const [key, { page }] of this.#loads) current.set(page, key)
    for (const [key, { page }] of this.#loads) if (current.get(page) !== key) this.#tell(key)
  }

  /** Leaves the pages, because some of it is known only then, and tells of all. */
  async leave(pages: readonly Page[]): Promise<void> {
    await Promise.all(pages.filter((page) => !page.isClosed()).map(leave))
    for (const key of this.#loads.keys()) this.#tell(key)
  }

  #take(page: Page, said: Said): void {
    const key = String(said.load)
    if (typeof said.url === 'string') {
      if (this.#loads.size >= loadsMax) return
      const { actionId } = this
      const { url } = said
      const startedAt = Math.min(Date.now(), Number(said.startedAt) || Date.now())
      this.#loads.set(key, { page, load: { actionId, url, startedAt, ...unmeasured } })
      return
    }
    const known = this.#loads.get(key)
    const field = fieldOf[String(said.name)]
    const value = Number(said.value)
    if (known !== undefined && field !== undefined && value >= 0 && value <= valueMax)
      known.load[field] = value
  }

  #tell(key: string): void {
    const known = this.#loads.get(key)
    this.#loads.delete(key)
    // A page that was left before it answered is none.
    if (known !== undefined && known.load.ttfbMs !== null) this.#told(known.load)
  }
}

/** After what was done last has been painted, as somebody would who looks at it. */
async function leave(page: Page): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, leaveMs)
  await Promise.race([page.evaluate(untilPainted).catch(() => undefined), late.promise])
  clearTimeout(timer)
  await page.goto('about:blank', { timeout: leaveMs }).catch(() => undefined)
}

/** Runs in the page. What was painted is told to it somewhat later. */
const untilPainted = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))`

const unmeasured: WebVitals = { ttfbMs: null, fcpMs: null, lcpMs: null, cls: null, inpMs: null }
const bindingName = '__flamegate_vitals'

/**
 * Says each value as soon as it is known and whenever it changes, so that nothing is lost when the page is left. Answers with an
 * error status are no pages that anybody wanted.
 */
const tellingScript = `
  const tell = globalThis[${JSON.stringify(bindingName)}]
  const answer = performance.getEntriesByType('navigation')[0]
  if (window === window.top && /^https?:$/.test(location.protocol) && !(answer?.responseStatus >= 400)) {
    const load = performance.timeOrigin + ' ' + Math.random()
    tell({ load, url: location.href, startedAt: performance.timeOrigin })
    const measured = ({ name, value }) => tell({ load, name, value })
    for (const on of [webVitals.onTTFB, webVitals.onFCP, webVitals.onLCP, webVitals.onCLS, webVitals.onINP])
      on(measured, { reportAllChanges: true })
  }`

let script: Promise<string> | undefined

function pageScript(): Promise<string> {
  script ??= readFile(
    fileURLToPath(new URL('web-vitals.iife.js', import.meta.resolve('web-vitals'))),
    'utf8',
  ).then((library) => `${library}\n${tellingScript}`)
  return script
}
