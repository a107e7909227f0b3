import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '@flamegate/contract'
import { fillLogIn, launchBrowser } from './browser.ts'
import { platform, signUp } from './person.ts'

/** The connection doctor, pointed at our own server: from a terminal with a person, and by the API behind its page. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('flamegate doctor --log-in finds our server without a fault, from the 401 to a called tool', async () => {
  const { email, password } = await signUp('Patient')
  const doctor = spawn(process.execPath, [cli, 'doctor', platform().mcpUrl, '--log-in', '--json'])
  const ended = once(doctor, 'close')
  const printed = text(doctor.stdout)
  const page = await browser.newPage()
  await page.goto(await firstUrl(doctor.stderr))
  await fillLogIn(page, email, password)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Done.').waitFor()

  const diagnosis = JSON.parse(await printed)
  const faults = diagnosis.findings.filter(({ status }: { status: string }) => status !== 'ok')
  // Here it runs on this very computer, it lists more than the 40 tools that Cursor takes, and a client without a secret
  // is shared, and stays: each is worth a warning.
  expect(faults.map(({ check }: { check: string }) => check)).toEqual(['address', 'tools', 'left-behind'])
  expect(diagnosis.findings.map(({ check }: { check: string }) => check)).toEqual(
    expect.arrayContaining(['registration', 'log-in', 'refresh-token', 'modern', 'legacy', 'call']),
  )
  expect(await ended).toEqual([0, null])
  await page.close()
})

test('the page examines our own address, and does not reach into private networks', async () => {
  const { client } = await signUp('Outpatient')
  const own = await client.call(operations.diagnoseMcpConnection, { mcp_url: platform().mcpUrl })
  expect(own.findings.filter(({ status }) => status === 'failed')).toEqual([])
  expect(own.findings.map(({ check }) => check)).toContain('authorization-request')

  const inside = await client.call(operations.diagnoseMcpConnection, { mcp_url: 'http://10.0.0.1/mcp' })
  expect(inside).toMatchObject({ verdict: 'broken' })
  expect(inside.findings.map(({ check }) => check)).toEqual(['address', 'reach'])
})

/** The address that the doctor prints for its person. */
async function firstUrl(output: NodeJS.ReadableStream): Promise<string> {
  let printed = ''
  for await (const piece of output) {
    printed += String(piece)
    const url = /https?:\/\/\S+authorize\S+/.exec(printed)?.[0]
    if (url !== undefined && printed.endsWith('\n')) return url
  }
  throw new Error(`The doctor asked for nobody: ${printed}`)
}
