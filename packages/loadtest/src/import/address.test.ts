import { expect, test } from 'vitest'
import { splitAddress, splitQuery, withQuery } from './address.ts'

test('splitAddress() takes an address apart, and leaves out what is never sent', () => {
  expect(splitAddress('HTTPS://ann:p%40ss@Shop.example.com:443/a b?q=two+words&flag#part')).toEqual({
    origin: 'https://shop.example.com',
    host: 'shop.example.com',
    user: { name: 'ann', password: 'p@ss' },
    path: '/a%20b?flag',
    query: [{ name: 'q', value: 'two words' }],
  })
  expect(splitAddress('mailto:ann@example.com')).toBeUndefined()
})

test('splitQuery() lets templates be, and makes none of what is encoded', () => {
  expect(splitQuery('a=${x}&b=%24%7Bx%7D&c=$%7bx}&d=100%')).toEqual([
    { name: 'a', value: '${x}' },
    { name: 'b', value: '$${x}' },
    { name: 'c', value: '$${x}' },
    { name: 'd', value: '100%' },
  ])
})

test('a query with codes that are no UTF-8 stays behind the path, as it is written', () => {
  expect(splitAddress('https://shop.example.com/find?name=caf%E9&q=${x}')).toMatchObject({
    path: '/find?name=caf%E9&q=${x}',
    query: [],
  })
  expect(splitAddress('https://shop.example.com?name=caf%C3%A9&rate=100%')).toMatchObject({
    path: '/',
    query: [
      { name: 'name', value: 'café' },
      { name: 'rate', value: '100%' },
    ],
  })
})

test('names without = stay behind the path, so that none is sent', () => {
  expect(splitAddress('https://shop.example.com/orders?wsdl')).toMatchObject({
    path: '/orders?wsdl',
    query: [],
  })
  expect(splitAddress('https://shop.example.com/orders?${x}&a=&b c')).toMatchObject({
    path: '/orders?${x}&b%20c',
    query: [{ name: 'a', value: '' }],
  })
})

test('withQuery() goes on behind what there is', () => {
  const address = splitAddress('https://shop.example.com/orders?wsdl&a=1')!
  expect(withQuery(address, 'b=2&flag')).toMatchObject({
    path: '/orders?wsdl&flag',
    query: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  })
  expect(withQuery(address, 'b=caf%E9').path).toBe('/orders?wsdl&b=caf%E9')
  expect(withQuery(address, '')).toEqual(address)
})

// URL.canParse says yes to it, and the constructor throws.
test('a host of 16,000 characters is no address', () => {
  expect(splitAddress(`http://${'}'.repeat(16_380)}Accept:`)).toBeUndefined()
})
