/** The sample shop as other tools would drive it: the sources that virtual users are imported from. */

// Elements of a JMeter plan.
const sampler = (name: string, method: string, path: string, inside: string, body = '') => `
  <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="${name}" enabled="true">
    ${body || '<elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments"/></elementProp>'}
    <stringProp name="HTTPSampler.path">${path}</stringProp>
    <stringProp name="HTTPSampler.method">${method}</stringProp>
    <boolProp name="HTTPSampler.follow_redirects">true</boolProp>
    <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
  </HTTPSamplerProxy>
  <hashTree>${inside}</hashTree>`
const argument = (name: string, value: string) =>
  `<elementProp name="${name}" elementType="HTTPArgument"><boolProp name="HTTPArgument.always_encode">true</boolProp>
    <stringProp name="Argument.name">${name}</stringProp><stringProp name="Argument.value">${value}</stringProp>
    <stringProp name="Argument.metadata">=</stringProp></elementProp>`
const form = (fields: readonly [string, string][]) =>
  `<elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments">
    ${fields.map(([name, value]) => argument(name, value)).join('')}</collectionProp></elementProp>`
const raw = (text: string) =>
  `<boolProp name="HTTPSampler.postBodyRaw">true</boolProp>
    <elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments">
    <elementProp name="" elementType="HTTPArgument"><boolProp name="HTTPArgument.always_encode">false</boolProp>
    <stringProp name="Argument.value">${text.replaceAll('"', '&quot;')}</stringProp>
    <stringProp name="Argument.metadata">=</stringProp></elementProp></collectionProp></elementProp>`
const headers = (fields: readonly [string, string][]) =>
  `<HeaderManager guiclass="HeaderPanel" testclass="HeaderManager" testname="Headers" enabled="true">
    <collectionProp name="HeaderManager.headers">${fields
      .map(
        ([
          name,
          value,
        ]) => `<elementProp name="" elementType="Header"><stringProp name="Header.name">${name}</stringProp>
      <stringProp name="Header.value">${value}</stringProp></elementProp>`,
      )
      .join('')}</collectionProp></HeaderManager><hashTree/>`
const regex = (variable: string, pattern: string) =>
  `<RegexExtractor guiclass="RegexExtractorGui" testclass="RegexExtractor" testname="${variable}" enabled="true">
    <stringProp name="RegexExtractor.useHeaders">false</stringProp><stringProp name="RegexExtractor.refname">${variable}</stringProp>
    <stringProp name="RegexExtractor.regex">${pattern.replaceAll('"', '&quot;')}</stringProp>
    <stringProp name="RegexExtractor.template">$1$</stringProp><stringProp name="RegexExtractor.default"></stringProp>
    <stringProp name="RegexExtractor.match_number">1</stringProp></RegexExtractor><hashTree/>`
const json = (variable: string, path: string) =>
  `<JSONPostProcessor guiclass="JSONPostProcessorGui" testclass="JSONPostProcessor" testname="${variable}" enabled="true">
    <stringProp name="JSONPostProcessor.referenceNames">${variable}</stringProp>
    <stringProp name="JSONPostProcessor.jsonPathExprs">${path}</stringProp>
    <stringProp name="JSONPostProcessor.match_numbers">1</stringProp></JSONPostProcessor><hashTree/>`
const contains = (text: string) =>
  `<ResponseAssertion guiclass="AssertionGui" testclass="ResponseAssertion" testname="${text}" enabled="true">
    <collectionProp name="Asserion.test_strings"><stringProp name="1">${text}</stringProp></collectionProp>
    <stringProp name="Assertion.test_field">Assertion.response_data</stringProp>
    <intProp name="Assertion.test_type">16</intProp></ResponseAssertion><hashTree/>`

/** A JMeter plan, as its GUI saves one: logs in, gets a bearer token, orders, and reads the order. */
export function shopJmx(url: string): string {
  const { hostname, port } = new URL(url)
  const bearer: [string, string] = ['Authorization', 'Bearer ${token}']
  return `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
  <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Shop" enabled="true">
    <elementProp name="TestPlan.user_defined_variables" elementType="Arguments"><collectionProp name="Arguments.arguments">
      <elementProp name="user" elementType="Argument"><stringProp name="Argument.name">user</stringProp>
        <stringProp name="Argument.value">ann</stringProp><stringProp name="Argument.metadata">=</stringProp></elementProp>
    </collectionProp></elementProp>
  </TestPlan><hashTree>
  <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="Buyers" enabled="true">
    <stringProp name="ThreadGroup.num_threads">10</stringProp><stringProp name="ThreadGroup.ramp_time">5</stringProp>
  </ThreadGroup><hashTree>
    <ConfigTestElement guiclass="HttpDefaultsGui" testclass="ConfigTestElement" testname="HTTP Request Defaults" enabled="true">
      <elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments"/></elementProp>
      <stringProp name="HTTPSampler.domain">${hostname}</stringProp><stringProp name="HTTPSampler.port">${port}</stringProp>
      <stringProp name="HTTPSampler.protocol">http</stringProp>
    </ConfigTestElement><hashTree/>
    <CookieManager guiclass="CookiePanel" testclass="CookieManager" testname="HTTP Cookie Manager" enabled="true">
      <collectionProp name="CookieManager.cookies"/><boolProp name="CookieManager.clearEachIteration">true</boolProp>
    </CookieManager><hashTree/>
    <TransactionController guiclass="TransactionControllerGui" testclass="TransactionController" testname="Log in" enabled="true">
      <boolProp name="TransactionController.parent">true</boolProp></TransactionController><hashTree>
      ${sampler('Login form', 'GET', '/login', regex('csrf', 'name="csrf_token" value="([^"]+)"'))}
      ${sampler(
        'Send login',
        'POST',
        '/login',
        contains('Catalog'),
        form([
          ['csrf_token', '${csrf}'],
          ['user', '${user}'],
          ['password', 'ann-password'],
        ]),
      )}
      ${sampler('Session', 'POST', '/api/session', json('token', '$.token'))}
    </hashTree>
    <TransactionController guiclass="TransactionControllerGui" testclass="TransactionController" testname="Order" enabled="true">
      <boolProp name="TransactionController.parent">true</boolProp></TransactionController><hashTree>
      ${sampler('Checkout', 'GET', '/api/checkout', headers([bearer]) + json('nonce', '$.nonce'))}
      ${sampler('Create order', 'POST', '/api/orders', headers([bearer, ['Content-Type', 'application/json'], ['X-Checkout-Nonce', '${nonce}']]) + json('order', '$.id'), raw('{"product_id": "p-101", "quantity": 2}'))}
      ${sampler('Read order', 'GET', '/api/orders/${order}', headers([bearer]))}
    </hashTree>
  </hashTree></hashTree></hashTree></jmeterTestPlan>
`
}

const item = (name: string, request: Record<string, unknown>, test: readonly string[]) => ({
  name,
  request,
  event: [{ listen: 'test', script: { type: 'text/javascript', exec: test } }],
})

/** A Postman collection 2.1 with scripts as people write them. */
export function shopPostman(url: string): string {
  const isOk = ["pm.test('is OK', function () {", '  pm.response.to.have.status(200);', '});']
  const bearer = { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] }
  return JSON.stringify({
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'base', value: url }],
    item: [
      {
        name: 'Log in',
        item: [
          item('Login form', { method: 'GET', url: '{{base}}/login' }, [
            ...isOk,
            'const found = pm.response.text().match(/name="csrf_token" value="([^"]+)"/);',
            "pm.collectionVariables.set('csrf', found[1]);",
          ]),
          item(
            'Send login',
            {
              method: 'POST',
              url: { raw: '{{base}}/login', host: ['{{base}}'], path: ['login'] },
              body: {
                mode: 'urlencoded',
                urlencoded: [
                  { key: 'csrf_token', value: '{{csrf}}' },
                  { key: 'user', value: 'ann' },
                  { key: 'password', value: 'ann-password' },
                ],
              },
            },
            isOk,
          ),
          item('Session', { method: 'POST', url: '{{base}}/api/session' }, [
            ...isOk,
            'const body = pm.response.json();',
            "pm.collectionVariables.set('token', body.token);",
          ]),
        ],
      },
      {
        name: 'Order',
        auth: bearer,
        item: [
          item('Checkout', { method: 'GET', url: '{{base}}/api/checkout' }, [
            "pm.collectionVariables.set('nonce', pm.response.json().nonce);",
          ]),
          item(
            'Create order',
            {
              method: 'POST',
              url: '{{base}}/api/orders',
              header: [{ key: 'X-Checkout-Nonce', value: '{{nonce}}' }],
              body: {
                mode: 'raw',
                raw: '{"product_id": "p-101", "quantity": 2}',
                options: { raw: { language: 'json' } },
              },
            },
            [
              "pm.test('is created', () => pm.expect(pm.response.code).to.equal(201));",
              "pm.collectionVariables.set('order', pm.response.json().id);",
            ],
          ),
          item('Read order', { method: 'GET', url: '{{base}}/api/orders/{{order}}' }, isOk),
        ],
      },
    ],
  })
}

/** What Playwright's recorder writes, in TypeScript. */
export function shopPlaywright(url: string): string {
  return `import { test, expect } from '@playwright/test';

test('buys fish', async ({ page }) => {
  await page.goto('${url}/');
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('textbox', { name: 'User' }).click();
  await page.getByRole('textbox', { name: 'User' }).fill('ann');
  await page.getByLabel('Password').fill('ann-password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Catalog' })).toBeVisible();
  await page.getByRole('button', { name: 'Order Fish' }).click();
  await expect(page.locator('#live')).toHaveText('PAID');
  await page.getByRole('link', { name: /^Order ord_/ }).click();
  await expect(page.locator('h1')).toContainText('Order');
});
`
}

/** The same in Python, as a pytest. */
export function shopPlaywrightPython(url: string): string {
  return `import re
from playwright.sync_api import Page, expect


def test_buys_fish(page: Page) -> None:
    page.goto("${url}/")
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("User").fill("ann")
    page.get_by_label("Password").fill("ann-password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Catalog")).to_be_visible()
    page.get_by_role("button", name="Order Fish").click()
    expect(page.locator("#live")).to_contain_text("PAID")
`
}

const command = (name: string, target: string, value = '') => ({
  id: `${name}-${target}`,
  comment: '',
  command: name,
  target,
  targets: [],
  value,
})

/** A project of Selenium IDE. */
export function shopSide(url: string): string {
  return JSON.stringify({
    id: 'shop',
    version: '2.0',
    name: 'Shop',
    url,
    tests: [
      {
        id: 'log-in',
        name: 'Log in',
        commands: [
          command('open', '/login'),
          command('setWindowSize', '1280x800'),
          command('type', 'name=user', 'ann'),
          command('type', 'name=password', 'ann-password'),
          command('click', 'css=button'),
          command('waitForElementPresent', 'css=#products', '10000'),
          command('assertText', 'css=h1', 'Catalog'),
          command('assertTitle', 'Catalog'),
        ],
      },
    ],
    suites: [
      { id: 'all', name: 'All', persistSession: false, parallel: false, timeout: 300, tests: ['log-in'] },
    ],
    urls: [`${url}/`],
    plugins: [],
  })
}

/** A list of steps for WebDriver: logs in by name and by CSS, orders, waits for what the WebSocket says, and opens the order. */
export function shopWebdriver(url: string): string {
  return JSON.stringify({
    name: 'Buy fish',
    url,
    steps: [
      { action: 'get', target: '/login' },
      { action: 'type', target: 'name=user', value: 'ann' },
      { action: 'type', target: 'name=password', value: 'ann-password' },
      { action: 'click', target: 'css=button' },
      { action: 'assertText', target: 'css=h1', value: 'Catalog' },
      { action: 'click', target: 'xpath=//li[contains(., "Fish")]/button' },
      { action: 'waitForElementPresent', target: 'css=#order a', value: '10000' },
      { action: 'assertText', target: 'css=#live', value: 'PAID' },
      { action: 'sleep', value: 50 },
      { action: 'click', target: 'css=#order a' },
      { action: 'waitForElementPresent', target: 'css=#attachments', value: '10000' },
      { action: 'assertElementPresent', target: 'css=input[name="authenticity_token"]' },
    ],
  })
}

/**
 * What the shop publishes of its API: with a link from the nonce of a checkout to the order that needs it, ids that are in the paths of
 * what follows, a login in JSON, an upload, and a page that redirects. What OpenAPI cannot say is missing: form tokens and sessions.
 */
export function shopOpenApi(url: string): string {
  return `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: '${url}' }]
security: [{ bearer: [] }]
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
  schemas:
    Order:
      type: object
      properties: { id: { type: string }, status: { type: string, enum: [PAID] } }
paths:
  /login:
    get:
      security: []
      responses: { '200': { description: The form } }
  /welcome:
    get:
      security: []
      responses: { '302': { description: To the form of the login, or to the catalog } }
  /api/tokens:
    post:
      tags: [login]
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [user, password]
              properties:
                user: { type: string, example: ann }
                password: { type: string, format: password, example: ann-password }
      responses: { '201': { description: A token } }
  /api/products:
    get:
      tags: [catalog]
      operationId: listProducts
      responses: { '200': { description: All of them } }
  /api/checkout:
    get:
      tags: [orders]
      responses:
        '200':
          description: What an order needs
          links:
            order:
              operationId: createOrder
              parameters: { header.X-Checkout-Nonce: '$response.body#/nonce' }
  /api/orders:
    post:
      tags: [orders]
      operationId: createOrder
      parameters:
        - { name: X-Checkout-Nonce, in: header, required: true, schema: { type: string } }
      requestBody:
        required: true
        content:
          application/json:
            example: { product_id: p-101, quantity: 2 }
      responses:
        '201':
          description: The order
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
  /api/orders/{orderId}:
    parameters:
      - { name: orderId, in: path, required: true, schema: { type: string } }
    get:
      tags: [orders]
      responses: { '200': { description: The order } }
  /api/orders/{orderId}/history:
    parameters:
      - { name: orderId, in: path, required: true, schema: { type: string } }
    get:
      tags: [orders]
      responses: { '200': { description: One event on each line } }
  /api/orders/{orderId}/attachments:
    parameters:
      - { name: orderId, in: path, required: true, schema: { type: string } }
    post:
      tags: [orders]
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [file]
              properties: { file: { type: string, format: binary } }
      responses: { '201': { description: The attachment } }
  /api/live-tickets:
    post:
      tags: [orders]
      responses: { '201': { description: A ticket } }
`
}

/** As a browser copies it, and as people write it. */
export function shopCurl(url: string): string {
  return `# the form
curl '${url}/login' -H 'Accept: text/html' --compressed
curl -sS -X GET \\
  "${url}/static/shop.js" -H "Accept: */*"
`
}

/** Pages and files, a page that redirects to the login, and one that redirects twice. What else the shop has wants more than an address. */
export function shopUrls(url: string): string {
  return `# pages
${url}/
${url}/login
Catalog, ${url}/catalog
GET ${url}/welcome?from=mail
# files
GET ${url}/static/shop.css
${url}/static/shop.js
${url}/static/logo.png
`
}
