import { expect, test } from 'vitest'
import { guessFormat } from './guess-format.ts'

test.each([
  ['shop.har', '', 'har'],
  ['recording.json', '{ "log": { "version": "1.2"', 'har'],
  ['plan.JMX', '', 'jmx'],
  ['plan.xml', '<?xml version="1.0"?>\n<jmeterTestPlan version="1.2">', 'jmx'],
  ['shop.json', '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/"', 'postman'],
  ['login.spec.ts', '', 'playwright'],
  ['', "import { test } from '@playwright/test'", 'playwright'],
  ['shop.side', '', 'side'],
  ['project.json', '{"name":"x","tests":[{"id":"1","commands":[]}]}', 'side'],
  ['api.yaml', "openapi: '3.0.1'\ninfo:", 'openapi'],
  ['api.json', '{"openapi":"3.1.0"}', 'openapi'],
  ['shop.zip', '', 'archive'],
  ['', "curl 'https://shop.example.com/' \\\n  -H 'accept: */*'", 'curl'],
  ['urls.txt', 'https://shop.example.com/\nhttps://shop.example.com/cart', 'urls'],
  ['urls.txt', '# the shop\nGET https://shop.example.com/', 'urls'],
  ['steps.json', '{"name":"x","steps":[{"action":"get","target":"/login"}]}', 'webdriver'],
  ['notes.txt', 'nothing that is known', undefined],
])('%j that begins with %j is %s', (name, head, expected) => {
  expect(guessFormat(name, head)).toBe(expected)
})
