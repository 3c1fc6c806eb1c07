import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { appKey } from '#web/api/query-keys.ts'
import { queryClient } from '#web/api/query-client.ts'

const maxRecent = 5

/**
 * The last look-ups in the selected app. They are kept in the memory of this tab only, because a key is a secret of a
 * customer: reloading the page and signing out forget them.
 */
const recentQuery = () => ({
  queryKey: appKey('diagnosis', 'recent'),
  queryFn: (): readonly string[] => [],
  initialData: [] as readonly string[],
  enabled: false,
  staleTime: Infinity,
  gcTime: Infinity,
})

export const useRecentSearches = (): readonly string[] => useQuery(recentQuery()).data

/** Remembers a look-up that found something. */
export function useRememberSearch(search: string, found: boolean): void {
  useEffect(() => {
    if (!found || search === '') return
    queryClient.setQueryData<readonly string[]>(recentQuery().queryKey, (before = []) =>
      [search, ...before.filter((each) => each !== search)].slice(0, maxRecent),
    )
  }, [search, found])
}
