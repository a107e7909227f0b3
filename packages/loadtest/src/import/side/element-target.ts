import type { Locator } from '../../model/page.ts'
import { cssText, locatorBy, xpathText } from '../browser/locators.ts'
import { oneLine, Unmapped } from '../browser/telling.ts'

/**
 * The locator of a target like `id=total` (https://www.selenium.dev/selenium-ide/docs/en/api/arguments#locator). Where several
 * elements fit, Selenium takes the first.
 */
export function locatorOf(target: string, frames: readonly string[]): Locator {
  return { ...allOf(target, frames), nth: 0 }
}

/** All elements that a target fits. */
export function allOf(target: string, frames: readonly string[]): Locator {
  return { ...plainLocator(target.trim()), frames: [...frames] }
}

/** Selector of a frame that a target names. */
export function frameSelector(target: string): string {
  const index = /^index=(\d{1,4})$/.exec(target)?.[1]
  if (index !== undefined) return `iframe, frame >> nth=${index}`
  const { by, value } = plainLocator(target)
  const selector = `${by === 'xpath' ? 'xpath=' : ''}${value} >> nth=0`
  if (selector.length > 1000) throw new Unmapped('The selector of the frame is too long.')
  return selector
}

function plainLocator(target: string): Locator {
  const [, strategy = '', value = ''] = /^([a-z]+)=([^]*)$/i.exec(target) ?? []
  if (/^\(*\/\//.test(target)) return locatorBy('xpath', target)
  if (value === '') throw new Unmapped(`"${oneLine(target, 60)}" names no element.`)
  switch (strategy.toLowerCase()) {
    case 'id':
      return locatorBy('css', `[id=${cssText(value)}]`)
    case 'name':
      return locatorBy('css', `[name=${cssText(value)}]`)
    case 'class':
    case 'classname':
      return locatorBy('css', `[class~=${cssText(value)}]`)
    case 'identifier':
      return locatorBy('css', `:is([id=${cssText(value)}], [name=${cssText(value)}])`)
    case 'css':
    case 'tagname':
      return locatorBy('css', value)
    case 'xpath':
      return locatorBy('xpath', value)
    case 'link':
    case 'linktext':
      return locatorBy('xpath', `//a[normalize-space(.)=${xpathText(value.trim())}]`)
    case 'partiallinktext':
      return locatorBy('xpath', `//a[contains(normalize-space(.), ${xpathText(value.trim())})]`)
    default:
      throw new Unmapped(`Elements are not found by "${oneLine(strategy, 40)}". Use css or xpath.`)
  }
}
