import { own } from '../browser/own.ts'

// Why what scripts do cannot become a step, by the name of the method.

const codeInPage =
  'It runs code in the page, which no step does. If the page needs it, do what a person would do instead.'
const network =
  'Requests of a page are not changed or waited for. Leave it out, or wait for what the page shows.'
const place = 'There is no step for single movements of the mouse or fingers. Name the element instead.'
const look = 'It looks at the page without changing it: results have screenshots of their own.'
const context = 'It prepares the browser. A virtual user has a plain browser of its own.'
const file = 'There is no step for downloads.'

const reasons: Readonly<Record<string, string>> = {
  evaluate: codeInPage,
  evaluateHandle: codeInPage,
  evaluateAll: codeInPage,
  $eval: codeInPage,
  $$eval: codeInPage,
  addInitScript: codeInPage,
  addScriptTag: codeInPage,
  addStyleTag: codeInPage,
  exposeFunction: codeInPage,
  exposeBinding: codeInPage,
  dispatchEvent: codeInPage,
  waitForFunction: codeInPage,
  setContent: codeInPage,
  route: network,
  unroute: network,
  routeFromHAR: network,
  routeFromHar: network,
  waitForRequest: network,
  waitForResponse: network,
  expectRequest: network,
  expectResponse: network,
  setExtraHTTPHeaders: 'Give the HTTP server the headers instead.',
  setExtraHttpHeaders: 'Give the HTTP server the headers instead.',
  dragTo: place,
  dragAndDrop: place,
  tap: place,
  move: place,
  down: place,
  up: place,
  wheel: place,
  scrollIntoViewIfNeeded: 'Steps scroll to their element by themselves.',
  focus: 'Steps give their element the focus by themselves.',
  blur: 'There is no step that takes the focus away.',
  screenshot: look,
  highlight: look,
  pdf: look,
  pause: look,
  content: look,
  ariaSnapshot: look,
  toHaveScreenshot: 'Pictures are not compared.',
  toMatchSnapshot: 'Pictures and snapshots are not compared.',
  toMatchAriaSnapshot: 'Snapshots are not compared. Expect the texts that matter one by one.',
  setViewportSize: context,
  emulateMedia: context,
  setDefaultTimeout: 'Give the actions their timeout instead.',
  setDefaultNavigationTimeout: 'Give the actions their timeout instead.',
  grantPermissions: context,
  addCookies: context,
  clearCookies: context,
  storageState: 'What a browser keeps is not saved.',
  expectDownload: file,
  saveAs: file,
  log: 'It writes a message of the script.',
  print: 'It writes a message of the script.',
}

/** Why a method has no step. */
export function reasonFor(method: string): string {
  return own(reasons, method) ?? `What ${method.slice(0, 60)}() does is not known: there is no step for it.`
}
