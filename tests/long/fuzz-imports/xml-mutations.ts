import { ofText, replaceOne } from '../fuzzing/text-mutations.ts'
import type { Mutation } from '../fuzzing/mutation.ts'

const tag = /<[\w.-]+[^<>]*>/g

/** Ten names, each of ten of the one before it. */
const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
)

const doctypes = [
  `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]>`,
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
  '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>',
  `<!DOCTYPE a [<!ENTITY x "${'a'.repeat(50_000)}">]>`,
  '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/">',
  '<!DOCTYPE a [',
  '<!doctype a>',
]

const withDoctype = ofText((text, random) => {
  const doctype = random.pick(doctypes)
  const end = text.indexOf('?>')
  return random.below(2) === 0 || end < 0
    ? doctype + text
    : `${text.slice(0, end + 2)}${doctype}${text.slice(end + 2)}`
})

const entity = ofText((text, random) =>
  replaceOne(
    text,
    /[\w./]+(?=[<"])/g,
    random,
    random
      .pick([
        '&x;',
        '&l9;',
        '&lt;',
        '&amp;amp;',
        '&#0;',
        '&#xD800;',
        '&#x110000;',
        '&#99999999;',
        '&',
        '&#x;',
        '&quot;',
      ])
      .repeat(1 + random.mostlySmall(100_000)),
  ),
)

/** An element around itself, again and again; what is closed is what was opened. */
const deepElements = ofText((text, random) => {
  const depth = random.pick([10, 49, 51, 240, 260, 5000, 50_000])
  const name = random.pick(['hashTree', 'a', 'elementProp', 'collectionProp', 'stringProp'])
  const open = random.below(2) === 0 ? `<${name}>` : `<${name} name="HTTPsampler.Arguments">`
  const close = random.below(8) === 0 ? '' : `</${name}>`
  return replaceOne(text, tag, random, `${open.repeat(depth)}${close.repeat(depth)}`)
})

/** Controllers inside one another, which are well formed and too deep for a virtual user. */
const deepControllers = ofText((text, random) => {
  const depth = random.pick([2, 20, 48, 49, 50, 51, 60, 120])
  const type = random.pick([
    'LoopController',
    'IfController',
    'GenericController',
    'OnceOnlyController',
    'ThreadGroup',
  ])
  const at = text.lastIndexOf('</hashTree>', text.indexOf('</hashTree>', random.below(text.length)))
  if (at < 0) return text
  const open = `<${type} testclass="${type}" testname="n"/><hashTree>`
  return `${text.slice(0, at)}${open.repeat(depth)}${'</hashTree>'.repeat(depth)}${text.slice(at)}`
})

/** An element, whole or nearly, where another one is. */
const moveElement = ofText((text, random) => {
  const from = text.indexOf('<', random.below(text.length))
  const name = /^<([\w.-]+)/.exec(text.slice(from, from + 100))?.[1]
  if (name === undefined) return text
  const end = text.indexOf(`</${name}>`, from)
  const element = end < 0 ? text.slice(from, from + 200) : text.slice(from, end + name.length + 3)
  const times = random.pick([1, 1, 2, 50, 2000])
  return replaceOne(text, tag, random, element.repeat(Math.min(times, Math.ceil(200_000 / element.length))))
})

const removeElement = ofText((text, random) => {
  const from = text.indexOf('<', random.below(text.length))
  const name = /^<([\w.-]+)/.exec(text.slice(from, from + 100))?.[1] ?? ''
  const end = text.indexOf(`</${name}>`, from)
  return end < 0 ? text : text.slice(0, from) + text.slice(end + name.length + 3)
})

/** What a property says, as JMeter's functions, variables and expressions are written. */
const changeProperty = ofText((text, random) =>
  replaceOne(
    text,
    />[^<>]*<\//g,
    random,
    `>${random.pick([
      '${',
      '${__P(a,${__P(b,${__P(c)})})}',
      '${__groovy(vars.get("a"))}',
      '${__Random(1,',
      `${'${__V(a'.repeat(1000)}${')}'.repeat(1000)}`,
      '${__counter(TRUE)}',
      '('.repeat(20_000),
      '${a}'.repeat(20_000),
      '-1',
      'NaN',
      '1e999',
      '99999999999999999999',
      'true',
      'POST',
      'http://[::1',
      'a b',
      '\\'.repeat(5001),
      '&quot;'.repeat(10_000),
      '${a} == &quot;b&quot; &amp;&amp; '.repeat(3000),
    ])}</`,
  ),
)

const removeAttribute = ofText((text, random) =>
  replaceOne(
    text,
    / [\w]+="[^"]*"/g,
    random,
    random.pick(['', ' enabled="false"', ' testclass="HTTPSamplerProxy"', ' a', ' name="__proto__"']),
  ),
)

const section = ofText((text, random) =>
  replaceOne(
    text,
    />[^<>]*</g,
    random,
    `>${random.pick(['<![CDATA[<a>]]>', '<![CDATA[', '<!-- -- -->', '<!--', '<?php echo 1 ?>', '<?a', '<a:b xmlns:c="d"/>', '<__proto__/>', '<#text/>', ']]>'])}<`,
  ),
)

export const xmlMutations: readonly Mutation[] = [
  withDoctype,
  entity,
  deepElements,
  deepControllers,
  deepControllers,
  moveElement,
  moveElement,
  removeElement,
  removeElement,
  changeProperty,
  changeProperty,
  changeProperty,
  removeAttribute,
  section,
]
