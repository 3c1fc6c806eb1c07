import { expect, test } from 'vitest'
import { cardLayout } from './card-layout.ts'
import type { Column } from './column.ts'

const column = (id: string, card?: Column<object>['card']): Column<object> => ({
  id,
  header: id,
  cell: () => null,
  ...(card !== undefined && { card }),
})

function placesOf(...columns: Column<object>[]) {
  const { titles, asides, facts, more } = cardLayout(columns, columns[0])
  return [titles, asides, facts, more].map((part) => part.map(({ id }) => id).join(' '))
}

test('the first column is the title and the next three are the facts, the rest is in the opened card', () => {
  const columns = [column('key'), column('state', 'aside'), ...['a', 'b', 'c', 'd'].map((id) => column(id))]
  expect(placesOf(...columns)).toEqual(['key', 'state', 'a b c', 'd'])
})

test('numbers choose the facts and their order', () => {
  const columns = [column('key'), column('a'), column('b', 2), column('c', 'hidden'), column('d', 1)]
  expect(placesOf(...columns)).toEqual(['key', '', 'd b', 'a'])
})

test('there are never more than three facts, and no column is lost', () => {
  const columns = [column('key'), column('a', 1), column('b', 1), column('c', 2), column('d', 3), column('e', 'more')]
  expect(placesOf(...columns)).toEqual(['key', '', 'a b c', 'd e'])
})

test('another column can be the title', () => {
  expect(placesOf(column('severity', 1), column('type', 'title'))).toEqual(['type', '', 'severity', ''])
})

test('the opened card has the whole of a column that is shorter above it', () => {
  const short = { ...column('owner'), cardCell: () => null }
  expect(placesOf(short, column('plan', 1))).toEqual(['owner', '', 'plan', 'owner'])
})
