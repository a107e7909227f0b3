import { expect, test } from 'vitest'
import { profileOf } from '../testing/stacks.ts'
import { findFunction, FunctionNotFoundError } from './find-function.ts'

const profile = profileOf('main;json.Decode;json.decodeObject 1\nmain;http.Serve;readAll 2\nmain;ReadAll 1')
const find = (name: string) => findFunction(profile, name).map((index) => profile.functions.names[index])
const nearest = (name: string) => {
  try {
    return find(name)
  } catch (error) {
    if (error instanceof FunctionNotFoundError) return error.nearestNames
    throw error
  }
}

test('the exact name wins over names that contain it', () => {
  expect(find('readAll')).toEqual(['readAll'])
  expect(find('json.Decode')).toEqual(['json.Decode'])
})

test('a part of one name only finds it, whatever the case', () => {
  expect(find('serve')).toEqual(['http.Serve'])
  expect(find('OBJECT')).toEqual(['json.decodeObject'])
})

test('a part of several names finds none, and offers them', () => {
  expect(() => find('readall')).toThrow('2 functions have "readall" in their name')
  expect(nearest('readall')).toEqual(['readAll', 'ReadAll'])
})

test('a name that is not there offers the nearest ones', () => {
  expect(() => find('jsonDecodeObjects')).toThrow('No function is called "jsonDecodeObjects"')
  expect(nearest('jsonDecodeObjects')).toEqual(['json.decodeObject', 'json.Decode'])
  expect(nearest('')).toEqual([])
})
