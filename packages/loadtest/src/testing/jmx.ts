type Values = Readonly<Record<string, string | number | boolean>>

/** An element of a plan as JMeter writes it: properties by name or as XML, and the elements below it. */
export function element(
  type: string,
  name: string,
  properties: Values | string = {},
  below: readonly string[] = [],
): string {
  return `${lone(type, name, properties)}<hashTree>${below.join('')}</hashTree>`
}

/** The same where it is disabled. */
export function disabled(xml: string): string {
  return xml.replace(/^<\S+/, (start) => `${start} enabled="false"`)
}

function lone(type: string, name: string, properties: Values | string): string {
  const inner =
    typeof properties === 'string' ? properties : Object.entries(properties).map(stringProperty).join('')
  return `<${type} guiclass="${guiClass(type)}" testclass="${type}" testname="${escapeXml(name)}">${inner}</${type}>`
}

function guiClass(type: string): string {
  return type === 'ConfigTestElement' ? 'HttpDefaultsGui' : `${type}Gui`
}

export function stringProperty([name, value]: readonly [string, unknown]): string {
  return `<stringProp name="${name}">${escapeXml(String(value))}</stringProp>`
}

export function collection(name: string, items: readonly string[]): string {
  return `<collectionProp name="${name}">${items.join('')}</collectionProp>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A plan with one thread group, and what is beside it. */
export function plan(below: readonly string[], beside: readonly string[] = []): string {
  const group = element('ThreadGroup', 'Users', { 'ThreadGroup.num_threads': 5 }, below)
  return planOf([...beside, group])
}

export function planOf(below: readonly string[]): string {
  return `<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>${element('TestPlan', 'Plan', {}, below)}</hashTree></jmeterTestPlan>`
}

const shop = {
  'HTTPSampler.domain': 'shop.example.com',
  'HTTPSampler.protocol': 'https',
  'HTTPSampler.path': '/',
  'HTTPSampler.method': 'GET',
}

/** A sampler that gets https://shop.example.com/. */
export function sampler(
  name: string,
  changes: Values = {},
  below: readonly string[] = [],
  more = '',
): string {
  const properties = Object.entries({ ...shop, ...changes })
    .map(stringProperty)
    .join('')
  return element('HTTPSamplerProxy', name, properties + more, below)
}

/** Parameters of a sampler, or of User Defined Variables. */
export function parameters(
  pairs: readonly (readonly [name: string, value: string])[],
  holder = 'HTTPsampler.Arguments',
): string {
  const items = pairs.map(
    ([name, value]) =>
      `<elementProp name="" elementType="HTTPArgument"><boolProp name="HTTPArgument.always_encode">true</boolProp>${stringProperty(['Argument.value', value])}${stringProperty(['Argument.name', name])}</elementProp>`,
  )
  const list = collection('Arguments.arguments', items)
  return holder === '' ? list : `<elementProp name="${holder}" elementType="Arguments">${list}</elementProp>`
}

export function headers(pairs: readonly (readonly [name: string, value: string])[]): string {
  const items = pairs.map(
    ([name, value]) =>
      `<elementProp name="" elementType="Header">${stringProperty(['Header.name', name])}${stringProperty(['Header.value', value])}</elementProp>`,
  )
  return element('HeaderManager', 'Headers', collection('HeaderManager.headers', items))
}
