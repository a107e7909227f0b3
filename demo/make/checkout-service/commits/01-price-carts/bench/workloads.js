import { priceCart } from '../src/cart.js'
import { parseCatalogue } from '../src/catalogue.js'
import { applyDiscounts } from '../src/discounts.js'
import { serialiseReceipt } from '../src/receipt.js'
import { buildIndex, searchCatalogue } from '../src/search.js'
import { catalogueText, makeItems, makeRules, queries } from './data.js'

const TODAY = Date.parse('2026-11-20')
const text = catalogueText(1500)
const catalogue = parseCatalogue(text)
const index = buildIndex(catalogue)
const items = makeItems(catalogue, 150)
const rules = makeRules(catalogue, 36)
const lines = priceCart(items, catalogue, 'DE')
const discounted = applyDiscounts(lines, rules, TODAY)

/** What is measured and profiled, by name. Each call is one iteration: a batch that takes about a millisecond. */
export const workloads = {
  'parse catalogue': () => parseCatalogue(text),
  'search catalogue': () => repeat(7, () => queries.map((query) => searchCatalogue(index, query))),
  'price carts': () => repeat(150, () => priceCart(items, catalogue, 'DE')),
  'apply discounts': () => repeat(7, () => applyDiscounts(lines, rules, TODAY)),
  'serialise receipts': () =>
    repeat(20, () => serialiseReceipt(discounted, { number: 1042, issuedAt: '2026-11-20' })),
}

function repeat(times, work) {
  let last
  for (let at = 0; at < times; at += 1) last = work()
  return last
}
