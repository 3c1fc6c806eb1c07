import { useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Up to 768 px the shell folds and tables become cards; paper is never a phone. */
export const useIsPhone = () => useMedia('screen and (max-width: 768px)')
