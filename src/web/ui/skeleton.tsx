import { useEffect, useState } from 'react'

/** A gray bar in place of text that is loading. */
export function Skeleton({ className = 'h-3 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`inline-block animate-pulse rounded-sm bg-surface-3 ${className}`} />
}

const appearsAfterMs = 150

/** Not shown for fast replies, where it would only flicker. */
export function useDelayed(waiting: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), appearsAfterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting])
  return waiting && late
}
