import { expect, test } from 'vitest'
import { drawActions } from '../../testing/draw-actions.ts'
import { fixture, fixturePaths } from '../../testing/fixtures.ts'
import { importText } from '../../testing/import-context.ts'
import { importPlaywright } from './import-playwright.ts'

const paths = fixturePaths('playwright')

test.runIf(paths.length > 0).each(paths)('%s has each of its statements in the report', async (path) => {
  const bytes = fixture(path)
  const { report } = await importText(importPlaywright, bytes)
  // They are written one to a line: each ends with a semicolon, or goes on with a function.
  const statements = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => /(?:;|\{)$/.test(line) && !/^\s*[})]/.test(line))
  expect(report.elements).toHaveLength(statements.length)
})

test.runIf(paths.includes('playwright/shop.spec.ts'))(
  'the recorded shop becomes the steps of its recording',
  async () => {
    const { virtualUsers } = await importText(importPlaywright, fixture('playwright/shop.spec.ts'))
    expect(virtualUsers.flatMap(({ document }) => drawActions(document.actions))).toEqual([
      'page test',
      '  goto path=/',
      '  click role=link[Login]',
      '  click css=input[name="user"]',
      '  fill css=input[name="user"] value=alice',
      '  fill css=input[name="password"] value=not-a-real-password',
      '  press css=input[name="password"] key=Enter',
      '  expect role=listitem#0 what=text comparison=contains expected=Fish',
      '  click text=Dog',
      'delay 1500',
      'page test',
      '  goto path=/catalog',
      '  click role=button[Open cart]',
      '  use_page',
      '  select label=Quantity values=2',
      '  check role=checkbox[I agree] checked=true',
      '  click test_id=pay',
      String.raw`  expect what=url comparison=matches expected=orders\/ord_`,
    ])
  },
)
