import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runVirtualUser } from '../../../packages/loadtest-engine/src/run-virtual-user.ts'
import {
  type ActionResult,
  applySuggestions,
  defaultImportOptions,
  type Exchange,
  groupByCause,
  likelyCauses,
  suggestCorrelations,
  type VirtualUser,
} from '../../../packages/loadtest/src/index.ts'
import { importHar } from '../../../packages/loadtest/src/import/har/import-har.ts'
import { launchBrowser } from '../browser.ts'
import { recordShopHar } from './record-shop-har.ts'
import { startSampleShop } from './start-sample-shop.ts'

test('a recording of the shop fails as it was recorded, and passes with its values correlated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-shop-'))
  const shop = await startSampleShop()
  const browser = await launchBrowser()
  try {
    const path = join(folder, 'shop.har')
    await recordShopHar(browser, shop.url, path)
    let ids = 0
    const exchanges: Exchange[] = []
    const imported = await importHar(
      createReadStream(path),
      { ...defaultImportOptions, thinkTimes: 'none' },
      {
        newId: (kind) => `${kind}_${++ids}`,
        keep: (exchange) => Promise.resolve(exchanges.push(exchange) - 1),
        hide: () => undefined,
        isVerified: () => true,
      },
    )
    const document = imported.virtualUsers[0]?.document
    if (document === undefined) throw new Error('A HAR makes a virtual user')

    expect(document.actions.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'container Shop',
      'container Log in',
      'container Catalog',
      'container Order {id}',
      'container POST /orders/{id}/attachments',
    ])

    async function run(user: VirtualUser): Promise<ActionResult[]> {
      const results: ActionResult[] = []
      const plan = {
        document: user,
        servers: new Map(imported.servers.map((server) => [server.id, server.document])),
        variables: imported.variables.map((variable) => variable.document),
        secrets: new Map([['password', 'ann-password']]),
        openFile: (name: string) => Promise.resolve(imported.files.find((file) => file.path === name)?.bytes),
        gate: { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]) },
        iterations: 1,
        seed: 1,
        signal: new AbortController().signal,
      }
      await runVirtualUser(plan, { finished: (result) => void results.push(result) })
      return results
    }

    const results = await run(document)
    const replay = {
      action: (id: string) => {
        const found = results.find(({ actionId }) => actionId === id)
        return found && { outcome: found.outcome, exchange: found.exchanges[0]?.exchange ?? null }
      },
    }
    const recording = {
      count: exchanges.length,
      exchange: (index: number) => {
        const exchange = exchanges[index]
        if (exchange === undefined) throw new RangeError(`No exchange ${index}`)
        return exchange
      },
    }
    expect(groupByCause(results)[0]?.cause).toBe('stale_value')
    expect((await likelyCauses(document, recording, results, replay))[0]).toMatchObject({
      actionName: 'POST /login',
      kind: 'stale_value',
      variable: 'csrf_token',
    })
    const { suggestions, cookies } = await suggestCorrelations(document, recording, [replay])
    expect(suggestions.map(({ variable }) => variable).toSorted()).toEqual([
      'authenticity_token',
      'csrf_token',
      'nonce',
      'order_id',
      'ticket',
      'token',
    ])
    expect(cookies.map(({ name }) => name)).toEqual(['shop_session'])
    const correlated = applySuggestions(document, suggestions, { newId: () => `new_${++ids}` })
    const failures = (await run(correlated.document)).filter(({ outcome }) => outcome === 'failed')
    expect(failures.map(({ name, failure }) => `${name}: ${failure}`)).toEqual([])
  } finally {
    await browser.close()
    await shop.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
