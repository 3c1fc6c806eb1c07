import { expect, test } from 'vitest'
import { columnLayout, type ColumnSpace } from './column-layout.ts'

const column = (id: string, width: number, more: Partial<ColumnSpace> = {}): ColumnSpace => ({
  id,
  width,
  wholeWidth: 0,
  yields: undefined,
  ...more,
})
const two = [column('a', 600), column('b', 400)]
const layout = (columns: readonly ColumnSpace[], frame: number) => {
  const { widths, ...others } = columnLayout(columns, { fixed: 40, frame })
  return { ...others, widths: Object.fromEntries([...widths].map(([id, width]) => [id, Math.round(width)])) }
}

test('columns keep their widths before the frame is measured, and fill it afterwards', () => {
  expect(layout(two, Infinity)).toMatchObject({ overflows: false, widths: { a: 600, b: 400 } })
  expect(layout(two, 2040)).toMatchObject({ overflows: false, widths: { a: 1200, b: 800 } })
  expect(layout(two, 940)).toMatchObject({ overflows: false, widths: { a: 540, b: 360 } })
})

test('they give way to four fifths; in a narrower frame the table scrolls', () => {
  expect(layout(two, 840)).toEqual({ leastWidth: 840, overflows: false, leftOut: [], widths: { a: 480, b: 320 } })
  expect(layout(two, 839)).toEqual({ leastWidth: 840, overflows: true, leftOut: [], widths: { a: 480, b: 320 } })
})

test('a column of whole texts gets what they need, and the others share the rest', () => {
  const keys = [column('key', 200, { wholeWidth: 240 }), column('a', 300), column('b', 100)]
  expect(layout(keys, 600)).toMatchObject({ widths: { key: 240, a: 240, b: 80 }, leftOut: [] })
  expect(layout(keys, 660)).toMatchObject({ widths: { key: 240, a: 285, b: 95 } })
  expect(layout(keys, 640 + 1000)).toMatchObject({ widths: { key: 533, a: 800, b: 267 } })
})

test('whole texts take at most two fifths of the table, and wrap', () => {
  const keys = [column('key', 200, { wholeWidth: 700 }), column('a', 300), column('b', 100)]
  expect(layout(keys, 1000)).toMatchObject({ widths: { key: 400, a: 420, b: 140 }, overflows: false })
})

test('columns yield in their order, and only as many as needed', () => {
  const many = [
    column('key', 160, { wholeWidth: 90 }),
    column('notes', 100, { yields: 1 }),
    column('issuer', 100, { yields: 2 }),
    column('created', 100),
  ]
  expect(layout(many, 408).leftOut).toEqual([])
  expect(layout(many, 407).leftOut).toEqual(['notes'])
  expect(layout(many, 328).leftOut).toEqual(['notes'])
  expect(layout(many, 327).leftOut).toEqual(['notes', 'issuer'])
  expect(layout(many, 240)).toMatchObject({ leftOut: ['notes', 'issuer'], overflows: true, leastWidth: 248 })
})

test('a column whose texts were measured needs no more than they do, and no less', () => {
  const measured = [column('status', 200, { least: 80 }), column('time', 100, { least: 140 }), column('name', 200)]
  expect(layout(measured, 420)).toEqual({
    leastWidth: 420,
    overflows: false,
    leftOut: [],
    widths: { status: 80, time: 140, name: 160 },
  })
  expect(layout(measured, 1040)).toMatchObject({ widths: { status: 400, time: 200, name: 400 } })
  expect(layout(measured, Infinity)).toMatchObject({ widths: { status: 200, time: 140, name: 200 } })
})
