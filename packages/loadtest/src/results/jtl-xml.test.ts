import { expect, test } from 'vitest'
import { collected } from '../testing/results.ts'

const results = (...samples: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testResults version="1.2">\n${samples.join('\n')}\n</testResults>\n`

test('attributes are what the columns of a CSV are', async () => {
  const { format, samples, users } = await collected(
    results(
      '<httpSample t="250" it="0" lt="180" ct="30" ts="1764000000000" s="true" lb="a &lt; &#x62; &amp; c" rc="200" rm="OK" tn="Users 1-1" dt="text" by="5000" sby="120" ng="1" na="7" hn="load-1"/>',
    ),
  )
  expect(format).toBe('jtl')
  expect(samples).toMatchObject([
    {
      type: 'http_request',
      name: 'a < b & c',
      endMs: 1_764_000_000_250,
      elapsedMs: 250,
      connectMs: 30,
      waitMs: 150,
      downloadMs: 70,
      sentBytes: 120,
      receivedBytes: 5000,
      status: 200,
      failure: null,
    },
  ])
  expect(users).toEqual([{ source: 'load-1', atMs: 1_764_000_000_250, users: 7 }])
})

test('a transaction holds its samples; what is within a request is a part of it', async () => {
  const { samples, notes } = await collected(
    results(
      `<sample t="50" ts="1764000000000" s="true" lb="checkout" rc="200" rm="Number of samples in transaction : 2, number of failing samples : 0">
         <httpSample t="20" ts="1764000000000" s="true" lb="cart" rc="200">
           <httpSample t="5" ts="1764000000000" s="true" lb="cart-0" rc="302"/>
           <httpSample t="15" ts="1764000000005" s="true" lb="cart-1" rc="200"/>
         </httpSample>
         <httpSample t="30" ts="1764000000020" s="true" lb="pay" rc="200"/>
       </sample>`,
      '<sample t="7" ts="1764000000060" s="true" lb="query"/>',
    ),
  )
  expect(samples.map(({ type, path, name }) => [type, ...path, name].join(' '))).toEqual([
    'http_request checkout cart',
    'http_request checkout pay',
    'container checkout',
    'http_request query',
  ])
  expect(notes).toEqual([expect.stringMatching(/^2 samples are parts of others/)])
})

test('a failed assertion says why, and what was asked for is told', async () => {
  const { samples } = await collected(
    results(
      `<httpSample t="5" ts="1764000000000" s="false" lb="cart" rc="200" rm="OK">
        <assertionResult><name>has cart</name><failure>true</failure><error>false</error>
          <failureMessage>expected &quot;cart&quot;</failureMessage></assertionResult>
        <responseData class="java.lang.String"><![CDATA[<html></httpSample>]]></responseData>
        <method class="java.lang.String">GET</method>
        <java.net.URL>https://shop.example.com/cart?a=1&amp;b=2</java.net.URL>
      </httpSample>`,
    ),
  )
  expect(samples[0]?.failure).toEqual({
    class: 'assertion',
    message: '200 OK expected "cart"',
    method: 'GET',
    url: 'https://shop.example.com/cart?a=1&b=2',
  })
})

test('of a file that is cut off, what was complete counts, and that is told', async () => {
  const whole = results(
    '<httpSample t="1" ts="1764000000000" s="true" lb="a"/>',
    '<httpSample t="2" ts="1764000000000" s="true" lb="b"><responseData>x</responseData></httpSample>',
  )
  const cut = await collected(whole.slice(0, whole.indexOf('</httpSample>')))
  expect(cut.samples.map(({ name }) => name)).toEqual(['a'])
  expect(cut.notes).toEqual([expect.stringContaining('cut off')])
})

test('it is the same in pieces of any size', async () => {
  const text = results(
    '<!-- <httpSample t="9" ts="1764000000000" lb="no"/> -->',
    `<httpSample t="1" ts="1764000000000" s="false" lb='a > b'><java.net.URL>http://ä/</java.net.URL></httpSample>`,
  )
  const whole = await collected(text)
  expect(whole.samples).toHaveLength(1)
  for (let size = 1; size < 40; size++)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await collected(text, size)).toEqual(whole)
})

test('document type declarations are not read', async () => {
  await expect(
    collected('<!DOCTYPE x [<!ENTITY a "b">]><testResults><httpSample lb="&a;"/></testResults>'),
  ).rejects.toThrow('<!DOCTYPE')
})
