/** Sources as people write them, with what the sample shop's do not have. */
export const writtenSources: Readonly<Record<string, readonly string[]>> = {
  playwright: [
    `const { test, expect } = require('@playwright/test');
const base = process.env.BASE ?? 'https://shop.example.com';
const users = [{ name: 'ann', words: ['a', 'b'] }, { name: 'bob', words: [] }];
const open = async (page, path = '/') => { await page.goto(\`\${base}\${path}\`); };
test.describe('shop', () => {
  test.use({ viewport: { width: 1280, height: 720 }, locale: 'de-DE' });
  test.beforeEach(async ({ page }) => { await open(page); });
  for (const user of users) {
    test(\`logs \${user.name} in\`, async ({ page, request }) => {
      await test.step('log in', async () => {
        await page.getByLabel('User', { exact: true }).fill(user.name);
        await page.locator('form >> css=input[type="password"]').filter({ hasText: /pass\\w+/i }).nth(1).press('Control+A');
        await page.frameLocator('#frame').getByTestId('go').first().click({ button: 'right', timeout: 1000 });
      });
      const popup = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Help' }).click();
      await (await popup).close();
      if (user.words.length > 1) await page.keyboard.type('x' + 1 + 2 * 3);
      const answer = await request.post(base + '/api/orders', { data: { id: 1 }, headers: { 'x-a': 'b' } });
      expect(answer.status()).toBe(201);
      await expect(page.locator('li')).toHaveCount(2, { timeout: 5000 });
      await expect.soft(page).not.toHaveURL(/login\\?next=(.*)/);
      await page.selectOption('select', ['one', 'two']);
      await page.setInputFiles('input', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.waitForTimeout(500);
    });
  }
});
`,
    `import asyncio
import re
from playwright.async_api import Playwright, async_playwright, expect

BASE = "https://shop.example.com"


async def run(playwright: Playwright) -> None:
    browser = await playwright.chromium.launch(headless=False)
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    page = await context.new_page()
    await page.goto(f"{BASE}/login?next=%2F")
    async with page.expect_popup() as popup_info:
        await page.get_by_role("link", name=re.compile(r"^Help\\s", re.IGNORECASE)).click()
    popup = await popup_info.value
    await popup.locator("form").filter(has_text="a").nth(-1).press("Enter")
    for word in ["fish", "chips"]:
        await page.get_by_label("Word", exact=True).fill(word + "s")
        if word == "fish":
            await page.locator("""select""").select_option(["a", "b"])
    await expect(page.get_by_text("Done")).not_to_be_visible(timeout=1_000)
    await page.wait_for_timeout(500)
    await context.close()


async def main():
    async with async_playwright() as playwright:
        await run(playwright)

asyncio.run(main())
`,
  ],
  postman: [
    JSON.stringify({
      info: {
        name: 'Everything',
        schema: 'https://schema.getpostman.com/json/collection/v2.0.0/collection.json',
      },
      auth: { type: 'basic', basic: { username: 'ann', password: '{{password}}' } },
      variable: [
        { key: 'base', value: 'https://shop.example.com' },
        { id: 'n', value: 5, disabled: true },
      ],
      event: [
        { listen: 'prerequest', script: { exec: "pm.environment.set('now', Date.now());\nif (1) {}" } },
      ],
      item: [
        {
          name: 'Upload',
          request: {
            method: 'PUT',
            header: 'Accept: */*\nX-Id: {{$guid}}',
            url: {
              raw: '{{base}}/a/:id?x=1&y={{n}}',
              host: '{{base}}',
              path: 'a/:id',
              query: [
                { key: 'x', value: '1' },
                { key: 'y', value: '{{n}}', disabled: true },
              ],
              variable: [{ key: 'id', value: '{{$randomInt}}' }],
            },
            body: {
              mode: 'formdata',
              formdata: [
                { key: 'a', value: 'b', type: 'text' },
                { key: 'f', type: 'file', src: '/home/ann/a.txt', contentType: 'text/plain' },
              ],
            },
          },
          response: [{ name: 'Old', code: 200, body: '{}' }],
          event: [
            {
              listen: 'test',
              script: {
                exec: [
                  "tests['ok'] = responseCode.code === 200;",
                  'let json = JSON.parse(responseBody), token = json.data.items[0].token;',
                  "postman.setEnvironmentVariable('t', `${token}`);",
                  "pm.test('all', () => { pm.expect(json.a).to.be.an('array').that.has.lengthOf(2); pm.response.to.have.header('etag'); pm.expect(pm.response.responseTime).to.be.below(200); });",
                  "try { pm.globals.set('x', cheerio.load(responseBody)('a').attr('href')); } catch (error) { console.log(error); }",
                  'for (let i = 0; i < 3; i++) setTimeout(() => {}, 10);',
                ],
              },
            },
          ],
        },
        {
          name: 'Graph',
          request: {
            method: 'POST',
            url: '{{base}}/graphql',
            body: { mode: 'graphql', graphql: { query: '{ a }', variables: '{"b": 1}' } },
          },
        },
        { name: 'Simple', request: 'https://shop.example.com/simple' },
      ],
    }),
  ],
  side: [
    JSON.stringify({
      id: 'p',
      version: '3.0',
      name: 'Flow',
      url: 'https://shop.example.com',
      tests: [
        {
          id: 't1',
          name: 'Flow',
          commands: [
            ['open', '/', ''],
            ['store', '3', 'count'],
            ['times', '${count}', ''],
            ['if', '${count} > 2 && "a" === "b"', ''],
            ['click', 'linkText=Cart', ''],
            ['elseIf', '!${done}', ''],
            ['sendKeys', 'id=q', 'fish${KEY_ENTER}'],
            ['else', '', ''],
            ['run', 'Other', ''],
            ['end', '', ''],
            ['end', '', ''],
            ['while', '${count} < 10', ''],
            ['executeScript', 'return ${count} + 1', 'count'],
            ['end', '', ''],
            ['do', '', ''],
            ['pause', '500', ''],
            ['repeatIf', 'false', ''],
            ['forEach', 'names', 'name'],
            ['selectFrame', 'index=0', ''],
            ['select', 'xpath=//select[@id="a"]', 'label=One'],
            ['end', '', ''],
            ['storeText', 'css=h1', 'title'],
            ['verifyText', 'css=h1', '${title}'],
            ['//close', '', ''],
          ].map(([command, target, value], index) => ({
            id: `c${index}`,
            command,
            target,
            value,
            comment: '',
          })),
        },
        { id: 't2', name: 'Other', commands: [{ id: 'o', command: 'click', target: 'id=a', value: '' }] },
      ],
      suites: [{ id: 's', name: 'All', tests: ['t1', 't2'] }],
      urls: [],
      plugins: [],
    }),
  ],
  webdriver: [
    JSON.stringify({
      name: 'Log in',
      url: 'https://shop.example.com',
      steps: [
        { action: 'get', target: '/login' },
        { action: 'type', target: 'id=user', value: 'alice' },
        { action: 'sleep', value: 50 },
        { action: 'clear', target: 'name=q' },
        { action: 'click', target: 'css=button[type=submit]' },
        { action: 'assertText', target: 'css=h1', value: 'Welcome' },
      ],
    }),
    JSON.stringify([
      { method: 'POST', path: '/session', body: { capabilities: {} } },
      { method: 'POST', path: '/session/1/url', body: { url: 'https://shop.example.com/login' } },
      {
        method: 'POST',
        path: '/session/1/element',
        body: { using: 'css selector', value: '#user' },
        response: { value: { 'element-6066-11e4-a52e-4f735466cecf': 'e1' } },
      },
      { method: 'POST', path: '/session/1/element/e1/value', body: { text: 'ali${ce}\ue007' } },
      { method: 'POST', path: '/session/1/element/e1/click', body: {} },
      { command: 'findElement', parameters: { using: 'xpath', value: '//a' } },
      { command: 'clickElement', parameters: { id: 'e1' } },
      { method: 'DELETE', path: '/session/1' },
    ]),
  ],
  openapi: [
    `openapi: 3.0.3
info: { title: Orders, version: '1' }
servers:
  - url: 'https://{region}.example.com/{base}'
    variables: { region: { default: eu, enum: [eu, us] }, base: { default: v1 } }
security: [{ key: [] }, { oauth: [read] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { read: Read } } } }
  parameters:
    id: { name: id, in: path, required: true, schema: { type: string, format: uuid } }
  schemas:
    order: &order
      type: object
      required: [id, lines]
      properties:
        id: { type: string, example: ord_1 }
        total: { type: number, minimum: 1, maximum: 9 }
        parent: { $ref: '#/components/schemas/order' }
        lines: { type: array, minItems: 2, items: { $ref: '#/components/schemas/line' } }
    line: { allOf: [{ type: object, properties: { sku: { type: string, pattern: '^[a-z]{3}$' } } }, { oneOf: [{ type: object }, { type: 'null' }] }] }
paths:
  /orders:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer, default: 1 } }
        - { name: tags, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: string } } }
      responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: *order } } } } }
    post:
      tags: [orders]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/order' } } } }
      responses: { '201': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/order' } } } } }
  /orders/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    put:
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { file: { type: string, format: binary } } } } } }
      responses: { default: { description: Any } }
    delete: { responses: { '204': { description: Gone } } }
`,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Small', version: '1' },
      servers: [{ url: 'https://shop.example.com' }],
      paths: {
        '/login': {
          post: {
            requestBody: { content: { 'application/x-www-form-urlencoded': { example: { user: 'ann' } } } },
            responses: { 200: { description: 'OK' } },
          },
        },
      },
    }),
  ],
  curl: [
    `export TOKEN=abc
curl -X POST "https://shop.example.com/a?b=1" -u ann:secret -F 'file=@a.txt;type=text/plain' -F "n=$TOKEN" \\
  -b 'a=b; c=d' -e https://example.com -L --max-redirs 3 --max-time 2.5 -k --http2
curl --json '{"a": "\\u00e4"}' $'https://shop.example.com/\\x41' --next -G -d q=1 --data-urlencode 'r=a b' https://shop.example.com/s
curl.exe ^"https://shop.example.com/^" ^
  -H ^"Accept: */*^" --data-raw ^"{^\\^"a^\\^":1}^"
for i in 1 2; do curl "https://shop.example.com/{a,b}[1-3]"; done | jq .
`,
  ],
  urls: [
    `name,method,url\n"Home, sweet",GET,https://ann:pw@shop.example.com/?a=b%20c&d\nOrder,POST,/orders\nlive,,shop.example.com:8443/x#y\n`,
  ],
  jmx: [],
  har: [],
  archive: [],
}
