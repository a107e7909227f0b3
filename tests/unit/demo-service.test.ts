import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

/** What the load test of the demo sends its requests to. */

const program = join(import.meta.dirname, '../../demo/make/serve-checkout.ts')

async function serve(branch: string): Promise<string> {
  const service = spawn(process.execPath, [program, '--branch', branch, '--port', '0'])
  onTestFinished(() => void service.kill())
  const [line] = await once(createInterface(service.stdout), 'line')
  return /http:\S+/.exec(String(line))?.[0] ?? ''
}

test.each(['main', 'feat/loyalty-discounts'])(
  'the service of %s finds, prices and checks out',
  async (branch) => {
    const url = await serve(branch)
    const found = await fetch(`${url}/products?query=nordic+kettle`)
    expect(await found.text()).toMatch(/^\{"products":\[\{"sku":"SKU-\d+","name":"Nordic Kettle; /)
    const order = { method: 'POST', body: JSON.stringify({ order: 'weekly', country: 'DE' }) }
    const priced = await (await fetch(`${url}/prices`, order)).json()
    expect(priced).toMatchObject({ lines: expect.toSatisfy((lines: unknown[]) => lines.length === 150) })
    const receipt = await fetch(`${url}/checkout`, order)
    expect(receipt.status).toBe(201)
    expect(await receipt.json()).toMatchObject({ receipt: expect.stringMatching(/^Receipt 1 .*\nTotal /s) })
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
    // Whoever asks for nonsense, or leaves, does not end it.
    expect((await fetch(`${url}/checkout`, { method: 'POST', body: 'no JSON' })).status).toBe(400)
    const left = connect(Number(new URL(url).port), '127.0.0.1')
    await once(left, 'connect')
    left.end('POST /checkout HTTP/1.1\r\nhost: shop\r\ncontent-length: 10\r\n\r\n{')
    await once(left.resume(), 'close')
    expect((await fetch(`${url}/products?query=la`)).status).toBe(200)
  },
)

test('a branch that is not there is told, with those that are', async () => {
  const service = spawn(process.execPath, [program, '--branch', 'mian'])
  const [words, [code]] = await Promise.all([service.stderr.toArray(), once(service, 'exit')])
  expect(String(words)).toMatch(/There is no branch mian\. .*main\|feat\/loyalty-discounts/)
  expect(code).toBe(2)
})
