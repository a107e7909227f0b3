import type { Locator as LocatorDocument } from '@flamegate/loadtest'
import type { FrameLocator, Locator, Page } from 'playwright'

/** Playwright's locator for one of a document whose templates are filled in. */
export function findElement(page: Page, wanted: LocatorDocument): Locator {
  const frame = wanted.frames.reduce<Page | FrameLocator | Locator>(
    (outer, selector) => outer.frameLocator(selector),
    wanted.within === null ? page : findElement(page, wanted.within),
  )
  const found = inside(frame, wanted)
  const filtered = wanted.has_text === null ? found : found.filter({ hasText: wanted.has_text })
  return wanted.nth === null ? filtered : filtered.nth(wanted.nth)
}

function inside(root: Page | FrameLocator | Locator, { by, value, name, exact }: LocatorDocument): Locator {
  switch (by) {
    case 'role':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Playwright tells of roles that are none
      return root.getByRole(value as Parameters<Page['getByRole']>[0], name === null ? {} : { name, exact })
    case 'label':
      return root.getByLabel(value, { exact })
    case 'text':
      return root.getByText(value, { exact })
    case 'placeholder':
      return root.getByPlaceholder(value, { exact })
    case 'test_id':
      return root.getByTestId(value)
    case 'title':
      return root.getByTitle(value, { exact })
    case 'alt_text':
      return root.getByAltText(value, { exact })
    case 'css':
      return root.locator(`css=${value}`)
    case 'xpath':
      return root.locator(`xpath=${value}`)
    default:
      return by satisfies never
  }
}

/** `button "Sign in"`, `#total`. */
export function elementWords({ by, value, name, nth }: LocatorDocument): string {
  const which = nth === null ? '' : nth < 0 ? ', the last' : `, number ${nth + 1}`
  if (by === 'role') return `${value}${name === null ? '' : ` "${name}"`}${which}`
  return by === 'css' || by === 'xpath' ? `${value}${which}` : `${by.replace('_', ' ')} "${value}"${which}`
}
