import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserStep } from './browser-step.ts'
import type { Driver, Situation } from './driver.ts'
import { programsOf } from './install.ts'
import { untried } from './results.ts'
import type { Outcome, RowResult, StepName } from './results.ts'
import { openTerminal } from './terminal.ts'
import type { ScriptedModel } from './scripted-model.ts'
import type { CommandResult } from './terminal.ts'
import type { Exchange, Wire } from './wire.ts'

export interface MatrixOptions {
  drivers: readonly Driver[]
  wire: Wire
  browser: BrowserStep
  model: ScriptedModel
  /** Each client gets a home folder in it. */
  homesDir: string
  accessTokenSeconds: number
  /** Address by which the person is known to the tool that is called. */
  email: string
  /** Takes back everything that the person has allowed, as their page of connected apps does. */
  revokeAll: () => Promise<void>
  say: (line: string) => void
}

/** One row while it is being made. */
interface Row {
  driver: Driver
  situation: Situation
  steps: Record<StepName, Outcome>
  revisions: Set<string>
  trouble: string[]
}

/**
 * All clients log in, list and call; then their tokens run out, and each comes back once; then all of them are
 * revoked, and each comes back once more. What counts is what went over the wire; what the client wrote only tells
 * whether it got the answer, and whether it says that it was refused.
 */
export async function runMatrix(options: MatrixOptions): Promise<RowResult[]> {
  const { browser, say } = options
  const rows: Row[] = []
  for (const driver of options.drivers) {
    const row = await openRow(driver, options)
    rows.push(row)
    say(`${driver.title}: connects`)
    await connect(row, options)
  }

  say(`Access tokens run out (${options.accessTokenSeconds} s) …`)
  await sleep((options.accessTokenSeconds + 1) * 1000)
  for (const row of rows.filter(({ steps }) => steps.list === 'yes')) {
    say(`${row.driver.title}: comes back`)
    const { result, said, asked } = await observe(row, options, row.driver.list)
    const refreshed = said.findIndex((each) => isToken(each, 'refresh_token') && each.status === 200)
    const cameIn = said.slice(refreshed + 1).some((each) => each.rpc === 'tools/list' && isFine(each))
    note(row, 'refresh', refreshed !== -1 && cameIn && !asked && !saysRefused(row, result), result, said)
  }

  await options.revokeAll()
  browser.isWilling = false
  for (const row of rows.filter(({ steps }) => steps.list === 'yes')) {
    say(`${row.driver.title}: was revoked`)
    const { result, said, asked } = await observe(row, options, row.driver.list)
    const wasRefused =
      said.some((each) => each.status === 401 && each.hasToken) || said.some(isRefusedRefresh)
    const cameIn = said.some((each) => each.rpc === 'tools/list' && isFine(each))
    const tellsSo = asked || saysRefused(row, result)
    note(row, 'revoked', wasRefused && !cameIn && tellsSo, result, said)
  }
  return rows.map(asResult)
}

async function openRow(driver: Driver, { homesDir, wire, browser, model }: MatrixOptions): Promise<Row> {
  const home = join(homesDir, driver.title.replace(/[^a-z]+/gi, '-'))
  await mkdir(home, { recursive: true })
  const terminal = await openTerminal(home, programsOf(driver.package), browser.inbox)
  const situation: Situation = {
    terminal,
    mcpUrl: `${wire.url}/mcp`,
    origin: wire.url,
    modelCalling: (tool) => model.calling(tool),
    hasAskedToLogIn: () => false,
  }
  return { driver, situation, steps: { ...untried }, revisions: new Set(), trouble: [] }
}

async function connect(row: Row, options: MatrixOptions): Promise<void> {
  const { driver } = row
  await driver.configure?.(row.situation)
  const first = await observe(row, options, driver.logIn)
  const isRegistered = driver.document
    ? first.said.some(
        ({ path, parameters }) =>
          path === '/oauth/authorize' && parameters.get('client_id') === driver.document?.url,
      ) && !first.said.some(({ path }) => path === '/oauth/reg')
    : first.said.some(({ path, status }) => path === '/oauth/reg' && status === 201)
  note(row, 'register', isRegistered, first.result, first.said)
  const isLoggedIn = first.said.some((each) => isToken(each, 'authorization_code') && each.status === 200)
  note(row, 'log in', isLoggedIn, first.result, first.said)
  const failure = options.browser.takeFailure()
  if (failure !== undefined) row.trouble.push(failure)
  if (!isLoggedIn) return

  const second = await observe(row, options, driver.list)
  const hasListed = second.said.some((each) => each.rpc === 'tools/list' && isFine(each))
  note(row, 'list', hasListed && !saysRefused(row, second.result), second.result, second.said)
  const third = await observe(row, options, driver.call)
  const hasCalled = third.said.some((each) => each.tool === 'get_current_user' && isFine(each))
  note(row, 'call', hasCalled && third.result.output.includes(options.email), third.result, third.said)
}

/** Lets the client do something, and tells what went over the wire and whether it wanted the browser. */
async function observe(
  row: Row,
  { wire, browser }: MatrixOptions,
  act: Driver['list'],
): Promise<{ result: CommandResult; said: Exchange[]; asked: boolean }> {
  const from = wire.exchanges.length
  const openedBefore = browser.opened.length
  wire.hideDocuments = row.driver.document === undefined
  row.situation.hasAskedToLogIn = () => browser.opened.length > openedBefore
  const result = await act(row.situation)
  const said = wire.exchanges.slice(from)
  for (const { revision, hasToken } of said)
    if (hasToken && revision !== undefined) row.revisions.add(revision)
  return { result, said, asked: row.situation.hasAskedToLogIn() }
}

function note(
  row: Row,
  step: StepName,
  works: boolean,
  { code, output }: CommandResult,
  said: Exchange[],
): void {
  row.steps[step] = works ? 'yes' : 'no'
  if (works) return
  const wire = said.map(({ method, path, status, rpc }) => `${method} ${path} ${rpc ?? ''} ${status}`)
  row.trouble.push(
    `${step}: ended with ${code ?? 'nothing'} after ${wire.join(', ') || 'silence'}; it wrote ${JSON.stringify(output.slice(-600))}`,
  )
}

function asResult({ driver, steps, revisions, trouble }: Row): RowResult {
  return {
    title: driver.title,
    version: driver.package.version,
    revisions: [...revisions].toSorted().join(', ') || '–',
    steps,
    trouble: trouble.length === 0 ? undefined : trouble.join('\n    '),
  }
}

function saysRefused({ driver }: Row, { output }: CommandResult): boolean {
  return driver.refusalText.test(output)
}

function isToken({ path, parameters }: Exchange, grant: string): boolean {
  return path === '/oauth/token' && parameters.get('grant_type') === grant
}

function isRefusedRefresh(each: Exchange): boolean {
  return isToken(each, 'refresh_token') && each.status >= 400
}

function isFine({ status, hasToken }: Exchange): boolean {
  return status === 200 && hasToken
}
