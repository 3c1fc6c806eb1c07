import { expect, test } from 'vitest'
import { columnLayout } from './column-layout.ts'

test('columns keep their widths before the frame is measured, and fill it afterwards', () => {
  expect(columnLayout({ columns: 1000, fixed: 40, frame: Infinity })).toMatchObject({ overflows: false, stretch: 1 })
  expect(columnLayout({ columns: 1000, fixed: 40, frame: 2040 })).toMatchObject({ overflows: false, stretch: 2 })
  expect(columnLayout({ columns: 1000, fixed: 40, frame: 940 })).toMatchObject({ overflows: false, stretch: 0.9 })
})

test('they give way to four fifths; in a narrower frame the table scrolls', () => {
  const limit = { columns: 1000, fixed: 40 }
  expect(columnLayout({ ...limit, frame: 840 })).toEqual({ leastWidth: 840, overflows: false, stretch: 0.8 })
  expect(columnLayout({ ...limit, frame: 839 })).toEqual({ leastWidth: 840, overflows: true, stretch: 0.8 })
})
