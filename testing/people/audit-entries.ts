import type { OwnedApp } from './people.ts'

/** What the audit of an owner has, and its Undo. */

/** The newest 100 entries at most, newest first. */
export const entriesOf = async ({ visitor }: OwnedApp, query: object = {}) =>
  (await visitor.call('GET /audit', { query: { limit: 100, ...query } })).body.entries

export async function latestEntry(of: OwnedApp, act: string) {
  const [entry] = (await entriesOf(of, { act })).filter((each) => each.act === act)
  if (!entry) throw new Error(`no ${act}`)
  return entry
}

export const undoEntry = ({ visitor }: Pick<OwnedApp, 'visitor'>, id: number | string) =>
  visitor.call('POST /audit/{id}/undo', { params: { id: String(id) } })
