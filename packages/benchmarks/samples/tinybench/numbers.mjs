import { writeFileSync } from 'node:fs'
import { Bench } from 'tinybench'

const numbers = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1000)
const bench = new Bench({ time: 20, warmupTime: 5, throws: false })
bench
  .add('sort', () => numbers.toSorted((a, b) => a - b))
  .add('sum | reduce', () => numbers.reduce((sum, number) => sum + number, 0))
  .add('broken', () => {
    throw new Error('no numbers')
  })
await bench.run()

const folder = process.argv[2]
const tasks = bench.tasks.map(({ name, result }) => ({ name, result }))
writeFileSync(`${folder}/tasks.json`, `${JSON.stringify(tasks, undefined, 2)}\n`)
// The stack of what was thrown names folders.
const table = bench.table().map(({ Stack, ...row }) => row)
writeFileSync(`${folder}/table.json`, `${JSON.stringify(table, undefined, 2)}\n`)
console.table(table)
