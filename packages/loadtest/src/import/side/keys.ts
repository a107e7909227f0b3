import { own } from '../browser/own.ts'
import { Unmapped } from '../browser/telling.ts'

/** What is typed: text, or a key by itself, as Playwright calls it. */
type Typed = { text: string } | { key: string }

/** Names of Selenium's keys (https://www.selenium.dev/selenium-ide/docs/en/api/arguments#keysequence). */
const names: Readonly<Record<string, string>> = {
  ENTER: 'Enter',
  RETURN: 'Enter',
  TAB: 'Tab',
  ESC: 'Escape',
  ESCAPE: 'Escape',
  BACKSPACE: 'Backspace',
  BACK_SPACE: 'Backspace',
  BKSP: 'Backspace',
  DELETE: 'Delete',
  DEL: 'Delete',
  INSERT: 'Insert',
  INS: 'Insert',
  SPACE: 'Space',
  HOME: 'Home',
  END: 'End',
  UP: 'ArrowUp',
  DOWN: 'ArrowDown',
  LEFT: 'ArrowLeft',
  RIGHT: 'ArrowRight',
  PAGE_UP: 'PageUp',
  PGUP: 'PageUp',
  PAGE_DOWN: 'PageDown',
  PGDN: 'PageDown',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, `F${index + 1}`])),
}

/** Keys that are held while what follows is typed. */
const held: Readonly<Record<string, string>> = {
  CTRL: 'Control',
  CONTROL: 'Control',
  ALT: 'Alt',
  SHIFT: 'Shift',
  META: 'Meta',
  COMMAND: 'Meta',
}

/** Code points by which WebDriver means keys (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const codePoints: Readonly<Record<string, string>> = {
  '\ue003': 'BACKSPACE',
  '\ue004': 'TAB',
  '\ue006': 'ENTER',
  '\ue007': 'ENTER',
  '\ue008': 'SHIFT',
  '\ue009': 'CTRL',
  '\ue00a': 'ALT',
  '\ue00c': 'ESC',
  '\ue00d': 'SPACE',
  '\ue00e': 'PAGE_UP',
  '\ue00f': 'PAGE_DOWN',
  '\ue010': 'END',
  '\ue011': 'HOME',
  '\ue012': 'LEFT',
  '\ue013': 'UP',
  '\ue014': 'RIGHT',
  '\ue015': 'DOWN',
  '\ue016': 'INSERT',
  '\ue017': 'DELETE',
  '\ue03d': 'META',
}

/** Text of WebDriver with its keys as Selenium IDE writes them: `${KEY_ENTER}`. */
export function namedKeys(text: string): string {
  return text.replaceAll(/[\ue000-\ue05d]/g, (letter) => {
    const name = own(codePoints, letter)
    if (name === undefined)
      throw new Unmapped(`The key U+${letter.codePointAt(0)!.toString(16)} is not known.`)
    return `\${KEY_${name}}`
  })
}

/** Takes apart what is typed: `fish${KEY_ENTER}`. Keys that are held make each letter after them a key of its own. */
export function typedParts(value: string): Typed[] {
  const parts: Typed[] = []
  const modifiers: string[] = []
  for (const piece of value.split(/(\$\{KEY_\w+\})/)) {
    const name = /^\$\{KEY_(\w+)\}$/.exec(piece)?.[1]
    const modifier = name === undefined ? undefined : own(held, name)
    if (modifier !== undefined && !modifiers.includes(modifier)) modifiers.push(modifier)
    else if (modifier !== undefined) continue
    else if (name !== undefined) {
      const key = own(names, name)
      if (key === undefined) throw new Unmapped(`The key ${name.slice(0, 40)} is not known.`)
      parts.push({ key: [...modifiers, key].join('+') })
    } else if (piece !== '' && modifiers.length === 0) parts.push({ text: piece })
    else if (piece.length > 20 || piece.includes('${'))
      throw new Unmapped('More is typed while a key is held than steps can say.')
    else parts.push(...Array.from(piece, (letter) => ({ key: [...modifiers, letter].join('+') })))
  }
  return parts
}
