/** Licences that whatever we ship may have: all permissive, but for MPL-2.0, which asks for changes of its own files only. */
const allowed = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0'])

/** Others that packages of ours have, and why they may. */
export const allowedFor: Readonly<Record<string, string>> = {
  '0BSD': 'ISC without the duty to keep the notice',
  'MIT-0': 'MIT without the duty to keep the notice',
  'BlueOak-1.0.0': 'permissive, with a grant of patents; OSI-approved',
  Unlicense: 'given to the public domain; OSI-approved',
}

/** Whether an SPDX expression leaves a choice of allowed licences only. */
export function isAllowed(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((alternative) =>
    alternative.split(' AND ').every((licence) => allowed.has(licence) || Object.hasOwn(allowedFor, licence)),
  )
}
