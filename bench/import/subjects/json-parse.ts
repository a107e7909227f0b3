// What it takes to read a HAR as a whole, and to look at each entry once: `json-parse.ts <file>`.
import { readFileSync } from 'node:fs'
import { reportFigures } from './figures.ts'

interface Har {
  log: { entries: { response: { content: { text?: string } } }[] }
}

const [file = ''] = process.argv.slice(2)

await reportFigures(() => {
  const { log }: Har = JSON.parse(readFileSync(file, 'utf8'))
  const bodyCharacters = log.entries.reduce(
    (sum, { response }) => sum + (response.content.text?.length ?? 0),
    0,
  )
  return { entries: log.entries.length, bodyCharacters }
})
