// Works through orders in four steps, three of which have a quicker form: `--quick distinctCustomers,exportLines`.
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    quick: { type: 'string', default: '' },
    work: { type: 'string', default: 'planted' },
    offers: { type: 'boolean', default: false },
  },
})

function distinctCustomers(orders) {
  const seen = []
  for (const { customer } of orders) if (!seen.includes(customer)) seen.push(customer)
  return seen.length
}

function distinctCustomersBySet(orders) {
  return new Set(orders.map(({ customer }) => customer)).size
}

function exportLines(orders) {
  let lines = []
  for (const { id, customer } of orders) lines = [...lines, `${id};${customer}`]
  return lines.length
}

function exportLinesInPlace(orders) {
  const lines = []
  for (const { id, customer } of orders) lines.push(`${id};${customer}`)
  return lines.length
}

function countPairs(orders) {
  let pairs = 0
  for (let one = 0; one < orders.length; one++) {
    for (let two = one + 1; two < orders.length; two++) if (orders[one].amount === orders[two].amount) pairs++
  }
  return pairs
}

function countPairsByAmount(orders) {
  const counts = new Map()
  let pairs = 0
  for (const { amount } of orders) {
    const count = counts.get(amount) ?? 0
    pairs += count
    counts.set(amount, count + 1)
  }
  return pairs
}

function priceOrders(orders, times) {
  let sum = 0
  for (let time = 0; time < times; time++)
    for (const { amount } of orders) sum += Math.sqrt(amount + time) % 7
  return sum
}

const quickForms = {
  distinctCustomers: distinctCustomersBySet,
  exportLines: exportLinesInPlace,
  countPairs: countPairsByAmount,
}
const slowForms = { distinctCustomers, exportLines, countPairs }

if (values.offers) console.log(JSON.stringify(Object.keys(quickForms)))
else {
  const quick = values.quick.split(',')
  const form = (name) => (quick.includes(name) ? quickForms : slowForms)[name]
  const orders = Array.from({ length: 3000 }, (_, id) => ({
    id,
    customer: `customer ${id}`,
    amount: (id * 7919) % 5003,
  }))
  const isPlanted = values.work === 'planted'
  const startedAt = performance.now()
  let result = 0
  for (let round = 0; round < (isPlanted ? 6 : 2); round++) result += form('distinctCustomers')(orders)
  for (let round = 0; round < (isPlanted ? 5 : 70); round++) result += form('exportLines')(orders)
  for (let round = 0; round < (isPlanted ? 2 : 18); round++) result += form('countPairs')(orders)
  result += priceOrders(orders, isPlanted ? 1000 : 10_000)
  console.log(JSON.stringify({ ms: performance.now() - startedAt, result }))
}
