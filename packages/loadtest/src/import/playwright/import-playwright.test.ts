import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../model/action.ts'
import { drawActions } from '../../testing/draw-actions.ts'
import { importContext, importText, requestsOf } from '../../testing/import-context.ts'
import { type Imported, type ImportOptions, SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importPlaywright } from './import-playwright.ts'

const read = (text: string, options: Partial<ImportOptions> = {}): Promise<Imported> =>
  importText(importPlaywright, text, options)

/** Statements of a test that gets a page and may send requests. */
const inTest = (body: string): string => `
import { test, expect } from '@playwright/test';
test('one', async ({ page, request }) => {
  await page.goto('https://shop.example.com/');
${body}
});`

const drawn = ({ virtualUsers }: Imported): string[] =>
  virtualUsers.flatMap(({ document }) => drawActions(document.actions))

/** Steps after the first, which opens the page. */
async function stepsOf(body: string, options: Partial<ImportOptions> = {}): Promise<string[]> {
  return drawn(await read(inTest(body), options))
    .slice(2)
    .map((line) => line.trim())
}

/** What became of the statements of a body, by their line in it. */
async function toldOf(body: string): Promise<string[]> {
  const { report } = await read(inTest(body))
  return report.elements.slice(3).map(({ outcome, note }) => [outcome, note].filter(Boolean).join(': '))
}

// What the code generators of Playwright 1.65 write for one and the same recording, but for the head and the foot.
const recordedInJavaScript = String.raw`
  await page.goto('http://127.0.0.1:18999/');
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByLabel('User name', { exact: true }).fill('al\'ice "x" \${y} \\n');
  await page.locator('input[name="password"]').press('Enter');
  page.once('dialog', dialog => {
    console.log(${'`Dialog message: ${dialog.message()}`'});
    dialog.dismiss().catch(() => {});
  });
  await page.getByText('Dog').dblclick({
    button: 'right'
  });
  await page.getByRole('checkbox', { name: 'I agree', exact: true }).check();
  await page.getByTestId('news').uncheck();
  await page.getByPlaceholder('Country').selectOption('de');
  await page.getByTitle('Sizes').selectOption(['s', 'm']);
  await page.getByAltText('Photo').setInputFiles('photo.png');
  await page.locator('div').filter({ hasText: /^Dog$/ }).nth(1).hover();
  await page.locator('iframe[name="pay"]').contentFrame().getByRole('button', { name: 'Pay' }).first().click();
  const page1Promise = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open cart' }).click();
  const page1 = await page1Promise;
  await page1.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
  await page1.getByRole('listitem').filter({ hasText: 'Fish' }).getByRole('link').click();
  await expect(page.getByRole('heading').last()).toContainText('Thanks');
  await expect(page.locator('#total')).toHaveText('12 €');
  await expect(page.locator('#news')).not.toBeChecked();
  await expect(page.locator('#total')).toBeVisible();
  await expect(page.locator('#q')).toHaveValue('2');
  await expect(page.locator('#q')).toBeEmpty();
`

const recordedInPython = String.raw`
    page.goto("http://127.0.0.1:18999/")
    page.get_by_role("link", name="Login").click()
    page.get_by_label("User name", exact=True).fill("al'ice \"x\" \${y} \\n")
    page.locator("input[name=\"password\"]").press("Enter")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_text("Dog").dblclick(button="right")
    page.get_by_role("checkbox", name="I agree", exact=True).check()
    page.get_by_test_id("news").uncheck()
    page.get_by_placeholder("Country").select_option("de")
    page.get_by_title("Sizes").select_option(["s", "m"])
    page.get_by_alt_text("Photo").set_input_files("photo.png")
    page.locator("div").filter(has_text=re.compile(r"^Dog$")).nth(1).hover()
    page.locator("iframe[name=\"pay\"]").content_frame.get_by_role("button", name="Pay").first.click()
    with page.expect_popup() as page1_info:
        page.get_by_role("button", name="Open cart").click()
    page1 = page1_info.value
    page1.get_by_role("spinbutton", name="Quantity").fill("2")
    page1.get_by_role("listitem").filter(has_text="Fish").get_by_role("link").click()
    expect(page.get_by_role("heading").last).to_contain_text("Thanks")
    expect(page.locator("#total")).to_have_text("12 €")
    expect(page.locator("#news")).not_to_be_checked()
    expect(page.locator("#total")).to_be_visible()
    expect(page.locator("#q")).to_have_value("2")
    expect(page.locator("#q")).to_be_empty()
`.replaceAll(String.raw`\${`, '${')

const recordedSteps = [
  'goto path=/',
  'click role=link[Login]',
  String.raw`fill label!=User name value=al'ice "x" $${'$'}{y} \n`,
  'press css=input[name="password"] key=Enter',
  'click text=Dog button=right count=2',
  'check role!=checkbox[I agree] checked=true',
  'check test_id=news',
  'select placeholder=Country values=de',
  'select title=Sizes values=s,m',
  'set_files alt_text=Photo paths=photo.png',
  "hover css=div > xpath=self::*[normalize-space(.)='Dog']#1",
  'click {iframe[name="pay"]} role=button[Pay]#0',
  'click role=button[Open cart]',
  'use_page',
  'fill role=spinbutton[Quantity] value=2',
  'click role=listitem~Fish > role=link',
  'use_page page=0',
  'expect role=heading#-1 what=text comparison=contains expected=Thanks',
  'expect css=#total what=text expected=12 €',
  'expect css=#news what=checked negate=true',
  'expect css=#total what=visible',
  'expect css=#q what=value expected=2',
  'expect css=#q what=value',
]

const javaScript = recordedInJavaScript.replaceAll(String.raw`\${y}`, '${y}')
const pythonLibrary = `import re
from playwright.sync_api import Playwright, sync_playwright, expect


def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context()
    page = context.new_page()${recordedInPython}
    # ---------------------
    context.close()
    browser.close()


with sync_playwright() as playwright:
    run(playwright)
`

test.each([
  [
    'a test in TypeScript',
    `import { test, expect } from '@playwright/test';\n\ntest('test', async ({ page }) => {${javaScript}});`,
  ],
  [
    'a script in JavaScript',
    `const { chromium } = require('playwright');

(async () => {
  const browser = await chromium.launch({ headless: false });
  const context = await browser.newContext();
  const page = await context.newPage();${javaScript}
  // ---------------------
  await context.close();
  await browser.close();
})();`,
  ],
  [
    'a test in Python',
    `import re\nfrom playwright.sync_api import Page, expect\n\n\ndef test_example(page: Page) -> None:${recordedInPython}`,
  ],
  ['a script in Python', pythonLibrary],
  [
    'an asynchronous script in Python',
    pythonLibrary
      .replaceAll('sync_playwright', 'async_playwright')
      .replaceAll(/^( *)(page1?\.|context\.|browser\.|expect\()/gm, '$1await $2')
      .replaceAll(/= (playwright\.|browser\.|context\.|page1_info)/g, '= await $1')
      .replaceAll(/^( *)(def|with)/gm, '$1async $2')
      .replace(
        /\nasync with async_playwright[^]*/,
        '\nasync def main():\n    async with async_playwright() as playwright:\n        await run(playwright)\n\nasyncio.run(main())\n',
      ),
  ],
])('what codegen writes as %s gives the steps of the recording', async (_, text) => {
  const imported = await read(text)
  expect(
    drawn(imported)
      .slice(1)
      .map((line) => line.trim()),
  ).toEqual(recordedSteps)
  expect(imported.servers.map(({ document }) => document.base_url)).toEqual(['http://127.0.0.1:18999'])
})

test('each statement is in the report once, also those that nothing comes to', async () => {
  const text = `import { test, expect } from '@playwright/test';
const unused = () => {
  console.log('never');
};
interface Nobody {
  name: string
}
class Helper {
  async run(page) {
    await page.click('#a');
  }
}
function never(page) {
  page.click('#b');
}
test.describe('Shop', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('https://shop.example.com/');
  });
  for (const name of ['a', 'b']) {
    test(name, async ({ page }) => {
      await page.click('#c');
    });
  }
  test('buys', async ({ page }) => {
    try {
      await page.click('#d');
    } catch {
      if (page) page.click('#e');
    }
    switch (1) {
      case 1:
        await page.click('#f');
        break;
    }
    await page.evaluate(() => {
      document.title = 'x';
    });
  });
  test('looks', async ({ page }) => {
    await page.click('#g');
  });
});
`
  const { report } = await read(text)
  // Each statement begins a line; what begins one and is no statement closes, names or divides.
  const begins = text
    .split('\n')
    .map((line, index) => ({ place: `line ${index + 1}`, line: line.trim() }))
    .filter(({ line }) => line !== '' && !/^(?:[})]|case|name:|async run)/.test(line))
    .flatMap(({ place, line }) => (line.startsWith('if (') ? [place, place] : [place]))
  expect(report.elements.map(({ place }) => place)).toEqual(begins)
  const { read: all, mapped, approximated, dropped } = countOutcomes(report)
  expect(mapped + approximated + dropped).toBe(all)
  expect(
    report.elements.filter(({ outcome }) => outcome !== 'mapped').every(({ note }) => note !== null),
  ).toBe(true)
})

test('tests of one file are virtual users, with what is done before and after each', async () => {
  const { virtualUsers } = await read(`
    import { test } from '@playwright/test'
    test.use({ baseURL: 'https://shop.example.com/app/' })
    test.describe('Shop', () => {
      test.afterEach(async ({ page }) => { await page.reload() })
      test.describe('cart', () => {
        test.beforeEach(async ({ page }) => { await page.goto('cart') })
        test('fills', async ({ page }) => { await page.click('#a') })
      })
      test('opens', async ({ page }) => { await page.goto('/') })
    })`)
  expect(virtualUsers.map(({ document }) => [document.name, ...drawActions(document.actions)])).toEqual([
    ['Shop › cart › fills', 'page fills', '  goto path=/app/cart', '  click css=#a', '  go to=reload'],
    ['Shop › opens', 'page opens', '  goto path=/', '  go to=reload'],
  ])
})

test('steps are containers, or page actions where they do nothing else', async () => {
  const imported = await read(
    inTest(`
    await test.step('look', async () => { await page.click('#a') })
    await test.step('wait', async () => { await page.click('#b'); await page.waitForTimeout(2 * 1000) })
    await page.click('#c')`),
  )
  expect(drawn(imported)).toEqual([
    'page one',
    '  goto path=/',
    'page look',
    '  click css=#a',
    'container wait',
    '  page wait',
    '    click css=#b',
    '  delay 2000',
    'page one',
    '  click css=#c',
  ])
})

test.each([
  [`page.locator('#a >> text="Log in" >> nth=2').click()`, 'click css=#a > text!=Log in#2'],
  [`page.locator('//a[1]').locator('..').click()`, 'click xpath=//a[1] > xpath=..'],
  [`page.click('text=Buy')`, 'click text=Buy'],
  [`page.fill('id=q', 'x', { timeout: 500 })`, 'fill css=[id="q"] value=x timeout_ms=500'],
  [`page.frameLocator('#f').frameLocator('#g').getByText('x').click()`, 'click {#f} {#g} text=x'],
  [
    `page.getByRole('row').locator('iframe').contentFrame().getByText('x').click()`,
    'click role=row > {iframe} text=x',
  ],
  [`page.getByText(/log in/i).click()`, 'click text=log in'],
  [`page.getByRole('row', { name: /^Total$/ }).click()`, 'click role!=row[Total]'],
  [`page.getByLabel('A').pressSequentially('abc')`, 'type_text label=A value=abc'],
  [`page.keyboard.press('Control+A')`, 'press key=Control+A'],
  [`page.getByLabel('A').setChecked(false)`, 'check label=A'],
  [`page.waitForURL('**/done')`, 'wait_for url=**/done'],
  [`page.waitForURL(/done$/)`, 'expect what=url comparison=matches expected=done$'],
  [`page.waitForSelector('#a', { state: 'hidden' })`, 'wait_for css=#a state=hidden'],
  [`page.waitForLoadState('networkidle')`, 'wait_for load_state=networkidle'],
  [`page.getByText('x').waitFor({ timeout: 100 })`, 'wait_for text=x timeout_ms=100'],
  [`expect(page).toHaveURL('/done')`, 'expect what=url expected=https://shop.example.com/done'],
  [
    `expect(page).not.toHaveTitle(/shop/i)`,
    'expect what=title comparison=matches expected=(?i:shop) negate=true',
  ],
  [`expect(page.getByText('x')).toHaveCount(3)`, 'expect text=x what=count expected=3'],
  [
    `expect(page.locator('a')).toHaveAttribute('href')`,
    'expect css=a > xpath=self::*[@href] what=count expected=1',
  ],
  [
    `expect(page.locator('a')).toHaveAttribute('href', '/x')`,
    'expect css=a what=attribute attribute=href expected=/x',
  ],
  [`expect(page.locator('a')).toBeHidden()`, 'expect css=a what=hidden'],
  [`expect(await page.title()).toBe('Shop')`, 'expect what=title expected=Shop'],
  [`expect(await page.locator('a').isVisible()).toBeFalsy()`, 'expect css=a what=visible negate=true'],
])('%s is read', async (statement, step) => {
  expect(await stepsOf(`await ${statement}`, { baseUrl: 'https://shop.example.com' })).toEqual([step])
})

test('names of texts, locators and functions are followed', async () => {
  const steps = await stepsOf(`
    const user = 'ali' + 'ce'
    const { form } = { form: page.locator('form') }
    const field = form.getByLabel(\`Name of \${user}\`)
    async function send(where, text) {
      await where.fill(text)
      return where
    }
    const sent = await send(field, user)
    await sent.press('Enter')`)
  expect(steps).toEqual([
    'fill css=form > label=Name of alice value=alice',
    'press css=form > label=Name of alice key=Enter',
  ])
})

test('what waits for something that happens at the same time comes after it', async () => {
  const steps = await stepsOf(`await Promise.all([page.waitForURL('**/done'), page.click('#a')])`)
  expect(steps).toEqual(['click css=#a', 'wait_for url=**/done'])
})

test('variables of the environment become variables, and secrets where they sound so', async () => {
  const { virtualUsers, variables, report } = await read(
    inTest(`
    const base = process.env.BASE_URL || 'https://shop.example.com'
    await page.goto(\`\${base}/login\`)
    await page.fill('#u', process.env['SHOP_USER'] ?? 'alice')
    await page.fill('#p', process.env.SHOP_PASSWORD!)`),
  )
  expect(drawActions(virtualUsers[0]!.document.actions).slice(2)).toEqual([
    '  goto path=/login',
    '  fill css=#u value=${SHOP_USER}',
    '  fill css=#p value=${SHOP_PASSWORD}',
  ])
  expect(variables.map(({ document }) => document)).toMatchObject([
    { type: 'constant', name: 'SHOP_USER', value: 'alice' },
    { type: 'secret', name: 'SHOP_PASSWORD' },
  ])
  expect(report.notes).toEqual(['Give the secret variable "SHOP_PASSWORD" its value.'])
})

test('requests of a test are requests, with what is expected and read of their answers', async () => {
  const imported = await read(
    inTest(`
    const answer = await request.post('/api/orders', { data: { item: 'fish', count: 2 }, params: { dry: true }, headers: { 'x-a': 'b' } })
    expect(answer.ok()).toBeTruthy()
    expect(answer.status()).toBe(201)
    const order = await answer.json()
    expect(order.items[0].name).toBe('fish')
    await page.goto(\`/orders/\${order.id}\`)`),
    { baseUrl: 'https://shop.example.com' },
  )
  const [request] = requestsOf(imported)
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/orders',
    query: [{ name: 'dry', value: 'true' }],
    headers: [{ name: 'x-a', value: 'b' }],
    body: { type: 'json', text: '{"item":"fish","count":2}' },
    extractors: [{ type: 'json_path', path: '$.id', variable: 'id' }],
    assertions: [
      { type: 'status', allowed: ['2xx'] },
      { type: 'status', allowed: ['201'] },
      { type: 'json_path', path: '$.items[0].name', equals: 'fish' },
    ],
  } satisfies Partial<Record<keyof HttpRequest, unknown>>)
  expect(drawn(imported).at(-1)).toBe('  goto path=/orders/${id}')
})

test('what cannot be imported is told of with its line and why', async () => {
  const told = await toldOf(`
  await page.evaluate(() => 1)
  await page.route('**/*', (route) => route.abort())
  await page.mouse.move(1, 2)
  await page.getByRole('row').filter({ has: page.getByText('x') }).click()
  await page.getByText(/a|b/).click()
  await page.constructor('x')
  await page.fill('#a', new Date().toISOString())
  await page.locator('a').click({ force: true })`)
  expect(told).toEqual([
    'dropped: It runs code in the page, which no step does. If the page needs it, do what a person would do instead.',
    'dropped: Requests of a page are not changed or waited for. Leave it out, or wait for what the page shows.',
    'dropped: There is no step for single movements of the mouse or fingers. Name the element instead.',
    'dropped: A locator with the filter "has" cannot be imported. Write one that finds the element by itself.',
    'dropped: The expression /a|b/ has no plain text in it that could be looked for instead.',
    'dropped: What constructor() does is not known: there is no step for it.',
    'dropped: "new Date().toISOString()" is known only when the script runs. Write a text or a variable in its place.',
    'approximated: Left out: force.',
  ])
})

test('without a browser, pages that are opened are requests, and the rest is told of', async () => {
  const imported = await read(inTest(`  await page.click('#a')\n  await page.waitForTimeout(10)`), {
    browser: 'http',
  })
  expect(drawn(imported)).toEqual(['GET /', 'delay 10'])
  expect(imported.report.elements.map(({ outcome }) => outcome)).toEqual([
    'mapped',
    'mapped',
    'mapped',
    'dropped',
    'mapped',
  ])
})

test('pauses are cut, or left out where they were not asked for', async () => {
  const body = 'await page.waitForTimeout(90_000)'
  expect(await stepsOf(body)).toEqual(['delay 60000'])
  expect(await stepsOf(body, { thinkTimes: 'none' })).toEqual([])
})

test('hosts that are not verified are kept, but disabled', async () => {
  const context = importContext({ isVerified: () => false })
  const text = inTest(`await request.get('https://ads.example.net/x')`)
  const imported = await importText(importPlaywright, text, {}, context)
  expect(drawn(imported)).toEqual(['page one', '  goto path=/ (off)', 'GET /x (off)'])
  expect(requestsOf(imported)[0]!.disabled_reason).toContain('ads.example.net')
  expect(countOutcomes(imported.report).approximated).toBe(2)
})

test('autouse fixtures of pytest go around each test, classes of tests too', async () => {
  const imported = await read(`
import pytest
from playwright.sync_api import Page, expect

@pytest.fixture(autouse=True)
def around(page: Page):
    page.goto("https://shop.example.com/")
    yield
    page.reload()

class TestCart:
    def test_opens(self, page):
        """Opens it."""
        name = "cart"
        page.get_by_text(f"open {name!s}").click()
        page.get_by_text(f"open {name}").click()
        if name:
            page.click("#a")
`)
  expect(imported.virtualUsers.map(({ document }) => document.name)).toEqual(['TestCart › test_opens'])
  expect(drawn(imported)).toEqual([
    'page test_opens',
    '  goto path=/',
    '  click text=open cart',
    '  go to=reload',
  ])
  expect(imported.report.elements).toHaveLength(14)
})

test('relative addresses need a base address', async () => {
  await expect(read(inTest(`await page.goto('/login')`))).rejects.toThrow(/^line 5: "\/login" is relative/)
})

test.each([
  [
    'a script that is cut off',
    'test("a", async ({ page }) => {',
    /^line 1, column \d+: It is neither JavaScript nor TypeScript/,
  ],
  ['Python that is cut off', 'import re\ndef test_a(page):\n    page.goto(', /^line \d+: It is no Python/],
  ['a script without a test', 'export const a = 1', /There is no test in it/],
  ['a script of nothing but parentheses', '('.repeat(100_000), /nested too deeply/],
  ['Python that is none', `import re\n${')]}({['.repeat(100_000)}`, /^line 2: It is no Python/],
  [
    'functions that call each other',
    'function a(p) { b(p); b(p) }\nfunction b(p) { a(p); a(p) }\na(page)',
    /more than 50000 statements/,
  ],
  ['a script of more than 2 MB', 'x'.repeat(2_000_001), /larger than 2 MB/],
])('%s is refused', async (_, text, message) => {
  const refusal = read(text)
  await expect(refusal).rejects.toThrow(SourceError)
  await expect(refusal).rejects.toThrow(message)
})

test('values that double with each line end before they are too large', async () => {
  const body = `let a = 'xxxxxxxx'\nlet b = [1]\n${'a = a + a\nb = [b, b]\n'.repeat(60)}await page.fill('#a', a)\nawait request.post('https://a.example.com/', { data: b })`
  const told = await toldOf(body)
  expect(told.slice(-2).every((line) => line.includes('known only when the script runs'))).toBe(true)
})

const words = [
  'await ',
  'page',
  '.click(',
  "'#a'",
  ')',
  '.getByRole(',
  '(',
  '{',
  '}',
  ',',
  ';\n',
  'test(',
  'async ({ page }) => {',
  'expect(',
  '.not',
  '.toHaveText(',
  '/a+/',
  '`a${',
  '}`',
  'const a = ',
  '\n',
  'def test_a(page):\n    ',
  'import re\n',
  'with ',
  ':',
  '"""',
  '.first',
  '[',
  ']',
]
test('whatever is read ends in a result or in a SourceError', async () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join('')),
    fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => inTest(parts.join(''))),
    fc.nat(javaScript.length).map((end) => `test('a', async ({ page }) => {${javaScript.slice(0, end)}\n})`),
    fc.nat(pythonLibrary.length).map((end) => pythonLibrary.slice(0, end)),
  )
  const bytes = fc.oneof(
    text.map((each) => new TextEncoder().encode(each)),
    fc.uint8Array({ maxLength: 200 }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (source) => {
      const error: unknown = await importText(importPlaywright, source).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      expect(error === undefined || error instanceof SourceError).toBe(true)
    }),
    { numRuns: 500 },
  )
})
