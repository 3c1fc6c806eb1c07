import { useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Below 960 px the rail is folded away; paper is never that narrow. */
export const useHasRail = () => !useMedia('screen and (width < 960px)')

/** Below 720 px tables become cards; paper is never a phone. */
export const useIsPhone = () => useMedia('screen and (width < 720px)')
