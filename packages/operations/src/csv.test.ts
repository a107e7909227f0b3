import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('csvLine() writes a record of RFC 4180', () => {
  expect(csvLine(['plain', 'a,b', 'say "no"', 'two\nlines', null, '', 1.5, -3])).toBe(
    'plain,"a,b","say ""no""","two\nlines",,,1.5,-3\r\n',
  )
})

test('csvLine() disarms what a spreadsheet would calculate', () => {
  expect(csvLine(['=1+1', '+1', '-1', '@sum', '\tx', 'a=b'])).toBe("'=1+1,'+1,'-1,'@sum,'\tx,a=b\r\n")
})
