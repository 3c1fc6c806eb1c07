import { useEffect, useRef } from 'react'

/** Asks again when `version` changes, as when what is shown beside it changed. */
export function useRefetchOn(version: string, refetch: () => unknown): void {
  const asked = useRef(version)
  useEffect(() => {
    if (asked.current === version) return
    asked.current = version
    void refetch()
  }, [version, refetch])
}
