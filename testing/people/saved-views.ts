import type { Visitor } from './visitor.ts'

export const noColumns = { shown: [], hidden: [], order: [] }

let made = 0

const newViewBody = () => ({
  table: 'users' as const,
  name: `View ${++made}`,
  query: 'f.status=banned',
  columns: noColumns,
})

/** A saved view of an owner and one of a reseller. */
export async function newViews({ owner, reseller }: Record<'owner' | 'reseller', { visitor: Visitor }>) {
  const { body } = await owner.visitor.call('POST /views', { body: newViewBody() })
  const other = await reseller.visitor.call('POST /reseller/views', { body: newViewBody() })
  return { viewId: body.view.viewId, resellerViewId: other.body.view.viewId }
}

const created = () => ({ body: newViewBody() })
const renamed = () => ({ body: { name: `View ${++made}` } })

/** Inputs with which the calls on views succeed. */
export const viewInputs = {
  'POST /views': created,
  'PUT /views/{viewId}': renamed,
  'POST /reseller/views': created,
  'PUT /reseller/views/{viewId}': renamed,
}
