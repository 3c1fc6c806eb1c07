import type { LiveSubject } from '#contract/live.ts'
import { queryClient } from './query-client.ts'
import { accountKey } from './query-keys.ts'

/** A list that takes changes into the rows in view by itself. */
interface LiveList {
  subjects: readonly LiveSubject[]
  /** Hash of the query in view, which must not be refetched. */
  queryHash: string
  onChanged: () => void
  /** The server was away, and what failed meanwhile need not wait. */
  onReturn: () => void
}

const lists = new Set<LiveList>()

/** Returns a function that removes it. */
export function addLiveList(list: LiveList): () => void {
  lists.add(list)
  return () => lists.delete(list)
}

export function tellLiveLists(changed: readonly LiveSubject[]): void {
  for (const { subjects, onChanged } of lists) if (subjects.some((each) => changed.includes(each))) onChanged()
}

/** Whether a query may be refetched as a whole. */
export function isOutsideLiveLists(): (query: { queryHash: string }) => boolean {
  const inView = new Set([...lists].map(({ queryHash }) => queryHash))
  return ({ queryHash }) => !inView.has(queryHash)
}

/** Loads what is on the screen again. Rows of lists that follow changes stay where they are, unless none were loaded. */
export async function refetchInView(): Promise<void> {
  const isLoaded = ({ queryHash }: LiveList) => queryClient.getQueryCache().get(queryHash)?.state.data !== undefined
  const loaded = [...lists].filter(isLoaded)
  const hashes = new Set(loaded.map(({ queryHash }) => queryHash))
  for (const { onReturn } of loaded) onReturn()
  await queryClient.refetchQueries({ type: 'active', predicate: ({ queryHash }) => !hashes.has(queryHash) })
}

/** Reads the apps again, for their sessions. If their list is in view, its rows stay where they are. */
export async function readApps(): Promise<void> {
  tellLiveLists(['apps'])
  await queryClient.invalidateQueries({ queryKey: accountKey('apps'), predicate: isOutsideLiveLists() })
}
