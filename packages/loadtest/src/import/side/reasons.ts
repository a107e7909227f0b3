import { own } from '../browser/own.ts'

/** Why dialogs are left alone. */
export const dialogs = 'Dialogs of a page are not answered or looked at; they are dismissed.'
/** Why a script that is written for a page is not taken over. */
export const scripts =
  'Scripts are not run in pages. Do what a person would do instead, or write a script action.'

const reasons: Readonly<Record<string, string>> = {
  runScript: scripts,
  executeAsyncScript: scripts,
  setWindowSize: 'Pages have a size of their own.',
  setSpeed: 'Pauses between commands are not imported. Use pause.',
  echo: 'It writes a message of the test.',
  debugger: 'It stops the test for a person.',
  mouseOut: 'There is no step for single movements of the mouse.',
  mouseDown: 'There is no step for single movements of the mouse.',
  mouseDownAt: 'There is no step for single movements of the mouse.',
  mouseMoveAt: 'There is no step for single movements of the mouse.',
  mouseUp: 'There is no step for single movements of the mouse.',
  mouseUpAt: 'There is no step for single movements of the mouse.',
  dragAndDropToObject: 'There is no step for single movements of the mouse.',
  removeSelection: 'There is no step that takes one choice back.',
  submit: 'There is no step that sends a form by itself. Click its button instead.',
  storeXpathCount: 'There is no step that counts elements into a variable.',
  storeElementCount: 'There is no step that counts elements into a variable.',
  storeJson: 'Lists and records are no values of variables. Store their parts.',
  else: 'No condition is open here.',
  elseIf: 'No condition is open here.',
  end: 'No block is open here.',
  repeatIf: 'No block is open here.',
}

/** Why a command has no step. */
export function reasonFor(command: string): string {
  return (
    own(reasons, command) ??
    (/Alert|Confirmation|Prompt/.test(command) ? dialogs : 'There is no step for this command.')
  )
}
