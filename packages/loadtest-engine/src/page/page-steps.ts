import type { PageStep } from '@flamegate/loadtest'
import type { ErrorClass } from '@flamegate/series'
import type { Page, Response } from 'playwright'
import type { PageUser } from '../ports.ts'
import { withOneScheme } from '../http/request-url.ts'
import { proxyFailure } from './filtering-proxy.ts'
import { elementWords, findElement } from './find-element.ts'

type StepOf<Type extends PageStep['type']> = Extract<PageStep, { type: Type }>

/** What a step failed with, in words for whoever wrote it. */
export class StepFailure extends Error {
  readonly errorClass: ErrorClass

  constructor(words: string, errorClass: ErrorClass = 'other') {
    super(words)
    this.errorClass = errorClass
  }
}

/** Does one step in a page, whose templates are filled in. Rejects with a StepFailure. */
export async function doStep(
  page: Page,
  step: Exclude<PageStep, StepOf<'use_page'>>,
  user: PageUser,
  timeoutMs: number,
): Promise<void> {
  const timeout = step.timeout_ms ?? timeoutMs
  const options = { timeout }
  switch (step.type) {
    case 'goto': {
      const server = user.servers.get(step.server_id)
      if (server === undefined) throw new StepFailure(`There is no server ${step.server_id}.`)
      const base = withOneScheme(await user.expand(server.base_url))
      const url = `${base.replace(/\/$/, '')}${step.path}`
      return mustHaveAnswered(url, await page.goto(url, options))
    }
    case 'click':
      return findElement(page, step.locator).click({
        ...options,
        button: step.button,
        clickCount: step.count,
      })
    case 'fill':
      return findElement(page, step.locator).fill(step.value, options)
    case 'type_text':
      return step.locator === null
        ? page.keyboard.type(step.value)
        : findElement(page, step.locator).pressSequentially(step.value, options)
    case 'select':
      return void (await findElement(page, step.locator).selectOption(step.values, options))
    case 'check':
      return findElement(page, step.locator).setChecked(step.checked, options)
    case 'hover':
      return findElement(page, step.locator).hover(options)
    case 'press':
      return step.locator === null
        ? page.keyboard.press(step.key)
        : findElement(page, step.locator).press(step.key, options)
    case 'set_files': {
      const files = await Promise.all(step.paths.map((path) => fileOf(path, user)))
      return findElement(page, step.locator).setInputFiles(files, options)
    }
    case 'go':
      if (step.to === 'back') await page.goBack(options)
      else if (step.to === 'forward') await page.goForward(options)
      else await page.reload(options)
      return
    case 'wait_for':
      if (step.locator !== null)
        await findElement(page, step.locator).waitFor({ ...options, state: step.state })
      if (step.url !== null) await page.waitForURL(step.url, options)
      if (step.load_state !== null) await page.waitForLoadState(step.load_state, options)
      return
    case 'expect':
      return expectStep(page, step, timeout)
    case 'extract': {
      const value =
        step.locator === null
          ? page.url()
          : step.attribute === null
            ? await findElement(page, step.locator).innerText(options)
            : await findElement(page, step.locator).getAttribute(step.attribute, options)
      if (value === null) throw new StepFailure(`It has no attribute ${step.attribute}.`, 'extractor')
      return user.set(step.variable, value.trim())
    }
  }
}

/** None is no bad one: a page may go to another place within itself. */
async function mustHaveAnswered(url: string, answer: Response | null): Promise<void> {
  const status = answer?.status() ?? 0
  if (answer === null || status < 400) return
  const failure = proxyFailure(answer.headers())
  if (failure !== undefined)
    throw new StepFailure(`${url} could not be reached: ${await answer.text()}`, failure)
  throw new StepFailure(`${url} answered with status ${status}.`, status < 500 ? 'status_4xx' : 'status_5xx')
}

async function fileOf(path: string, user: PageUser) {
  const bytes = await user.openFile(path)
  if (bytes === undefined) throw new StepFailure(`${path} is no file of the project.`)
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  }
}

const lookEveryMs = 100
/** Also when the time is nearly over: what is said of a failure is what was seen. */
const leastLookMs = 250

/** Looks again until it is so, or the time is over. */
async function expectStep(page: Page, step: StepOf<'expect'>, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    const seen = await look(page, step, Math.max(leastLookMs, Math.min(1000, endMs - performance.now())))
    if (seen.holds !== step.negate) return
    if (performance.now() >= endMs) {
      const place = step.locator === null ? 'the page' : elementWords(step.locator)
      throw new StepFailure(
        `Expected ${step.what} of ${place} ${step.negate ? 'not ' : ''}${expectedWords(step)}, saw ${seen.words}.`,
        'assertion',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

interface Seen {
  holds: boolean
  words: string
}

async function look(page: Page, step: StepOf<'expect'>, timeout: number): Promise<Seen> {
  if (step.locator === null) {
    const actual =
      step.what === 'title'
        ? await page.title()
        : step.what === 'url'
          ? page.url()
          : await page.innerText('body', { timeout })
    return compared(page, actual, step)
  }
  const element = findElement(page, step.locator)
  switch (step.what) {
    case 'visible':
    case 'hidden': {
      const isVisible = await element.first().isVisible()
      return {
        holds: isVisible === (step.what === 'visible'),
        words: isVisible ? 'it visible' : 'it hidden or absent',
      }
    }
    case 'count':
      return compared(page, String(await element.count()), step)
    default:
  }
  try {
    switch (step.what) {
      case 'checked': {
        const isChecked = await element.isChecked({ timeout })
        return { holds: isChecked, words: isChecked ? 'it checked' : 'it not checked' }
      }
      case 'enabled':
      case 'disabled': {
        const isEnabled = await element.isEnabled({ timeout })
        return {
          holds: isEnabled === (step.what === 'enabled'),
          words: isEnabled ? 'it enabled' : 'it disabled',
        }
      }
      case 'value':
        return await compared(page, await element.inputValue({ timeout }), step)
      case 'attribute':
        return await compared(
          page,
          (await element.getAttribute(step.attribute ?? '', { timeout })) ?? '',
          step,
        )
      default:
        return await compared(page, await element.innerText({ timeout }), step)
    }
  } catch (error) {
    return { holds: step.negate, words: firstLine(error) }
  }
}

/** A pattern is tried in the browser, where one that takes for ever is ended with its page. */
async function compared(
  page: Page,
  actual: string,
  { comparison, expected }: StepOf<'expect'>,
): Promise<Seen> {
  const text = actual.replaceAll(/\s+/g, ' ').trim()
  const wanted = expected.replaceAll(/\s+/g, ' ').trim()
  const words = `"${text.length > 200 ? `${text.slice(0, 199)}…` : text}"`
  if (comparison === 'equals') return { holds: text === wanted, words }
  if (comparison === 'contains') return { holds: text.includes(wanted), words }
  const holds = await page.evaluate(
    ([pattern, tried]) => new RegExp(pattern ?? '').test(tried ?? ''),
    [expected, text],
  )
  return { holds, words }
}

function expectedWords({ what, comparison, expected }: StepOf<'expect'>): string {
  if (['visible', 'hidden', 'checked', 'enabled', 'disabled'].includes(what)) return `to be ${what}`
  const verb = { equals: 'to be', contains: 'to contain', matches: 'to match' }[comparison]
  return `${verb} "${expected}"`
}

/** `click button "Sign in"`: what a step does, for messages. */
export function stepWords(step: PageStep): string {
  const where = 'locator' in step && step.locator !== null ? ` ${elementWords(step.locator)}` : ''
  switch (step.type) {
    case 'goto':
      return `go to ${step.path}`
    case 'press':
      return `press ${step.key}${where === '' ? '' : ` in${where}`}`
    case 'go':
      return `go ${step.to}`
    case 'use_page':
      return `use page ${step.page}`
    default:
      return `${step.type.replace('_', ' ')}${where}`
  }
}

/** Chromium's names of what kept it from an answer (net/base/net_error_list.h). */
const networkFailures: readonly (readonly [RegExp, ErrorClass])[] = [
  [/net::ERR_NAME_/, 'dns'],
  [/net::ERR_TUNNEL_CONNECTION_FAILED/, 'refused_target'],
  [/net::ERR_(?:CERT|SSL|BAD_SSL)_/, 'tls'],
  [/net::ERR_(?:CONNECTION_)?TIMED_OUT/, 'timeout'],
  [/net::ERR_(?:CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)/, 'reset'],
  [/net::ERR_(?:INVALID_(?:HTTP_)?RESPONSE|HTTP2?_|CONTENT_)/, 'protocol'],
  [/net::ERR_(?:CONNECTION|ADDRESS|PROXY|SOCKS)_/, 'connect'],
]

/** What kind of failure it is that a step ended with. */
export function failureClass(error: unknown): ErrorClass {
  if (error instanceof StepFailure) return error.errorClass
  if (!(error instanceof Error)) return 'other'
  if (error.name === 'TimeoutError') return 'timeout'
  return networkFailures.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'other'
}

/** Playwright's messages are long, coloured, and tell of calls; the first line says what it was. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex -- colours of a terminal
  const plain = message.replaceAll(/\u001B\[\d+m/g, '')
  return (plain.split('\n')[0] ?? plain).replace(/^[\w.]+: /, '').slice(0, 500)
}
