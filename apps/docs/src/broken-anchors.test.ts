import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brokenAnchors } from './broken-anchors.ts'

test('finds links to a place that a page has not, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-site-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'decisions'))
  await writeFile(
    join(folder, 'index.html'),
    `<h2 id="here"></h2><a href="#here">1</a><a href="/docs/ci#run">2</a><a href="https://a.example/#x">3</a>
<a href="/docs/ci#gone">4</a><a href="#nowhere">5</a><a href="/docs/decisions/#one">6</a>`,
  )
  await writeFile(join(folder, 'ci.html'), '<h2 id="run"></h2><a href="./#away">7</a>')
  await writeFile(join(folder, 'decisions/index.html'), '<p id="one"></p><a href="../ci#off">8</a>')
  expect(brokenAnchors(folder, '/docs/').toSorted()).toEqual([
    'ci.html: ./#away',
    'decisions/index.html: ../ci#off',
    'index.html: #nowhere',
    'index.html: /docs/ci#gone',
  ])
})
