import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isPlaceOfAnswer } from '../guides/guide-examples.ts'
import { blanksOf, endsOf, givenOf, pathOf, placeOf, stepsOf } from '../guides/guide-steps.ts'

/** Tutorials are in the form of guides; `tests/guides/tutorials.test.ts` does what they say. */

const folder = resolve(import.meta.dirname, '../../docs/tutorials')
const tutorials = globSync('*.md', { cwd: folder }).filter((name) => name !== 'README.md')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('the overview leads to each, and each is done by a test', () => {
  const followed = readFileSync(join(folder, '../../tests/guides/tutorials.test.ts'), 'utf8')
  expect(tutorials.length).toBeGreaterThan(3)
  for (const name of tutorials) {
    expect(read('README.md')).toContain(`](${name})`)
    expect(followed).toContain(`tutorial('${name.replace('.md', '')}')`)
  }
})

describe.each(tutorials)('%s', (name) => {
  const steps = stepsOf(read(name))

  test('takes values only from what was given, and from answers to calls before', () => {
    const given = new Set(givenOf(read(name)))
    const asked = new Set<string>()
    const wrong: string[] = []
    for (const step of steps) {
      for (const blank of blanksOf(step).filter((each) => !given.has(each))) {
        if (!/[.[]/.test(blank)) wrong.push(`${blank} is not given`)
        else if (!asked.has(placeOf(blank).tool)) wrong.push(`${blank}: it was not called before`)
        else if (!isPlaceOfAnswer(placeOf(blank))) wrong.push(`${blank}: no answer has that`)
      }
      if (step.kind === 'shell') continue
      for (const path of Object.keys(step.until ?? {})) {
        if (!isPlaceOfAnswer({ tool: step.tool, path: pathOf(path) }))
          wrong.push(`${path}: no answer has that`)
      }
      asked.add(step.tool)
    }
    for (const { place } of endsOf(read(name))) {
      if (!asked.has(place.tool) || !isPlaceOfAnswer(place)) wrong.push(`the end: ${JSON.stringify(place)}`)
    }
    expect(wrong).toEqual([])
  })

  test('says when it is done', () => {
    expect(endsOf(read(name)).length).toBeGreaterThan(0)
  })
})
