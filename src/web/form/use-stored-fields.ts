import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { mergeStored, mergeUndecided } from './field-changes.ts'

/** The stored fields, and changes of others until each conflict is resolved. */
export interface StoredFields<B> {
  stored: B
  theirs: Partial<B>
  isUndecided: boolean
  /** What has been saved; the other fields may have changed meanwhile. */
  store: (saved: Partial<B>) => void
  /** Conflicting values of others. */
  conflict: (theirs: Partial<B>) => void
  /** Resolves conflicts: edits are now based on the other values. */
  settle: (name: keyof B & string) => void
  /**
   * Applies a change of the stored values from `known` to `now`; returns all fields, and those that should show their
   * new value.
   */
  follow: (news: { typed: B; known: B; now: B }) => { merged: B; taken: (keyof B & string)[] }
  restart: (fields: B) => void
}

export function useStoredFields<B extends object>(start: B): StoredFields<B> {
  const [stored, setStored] = useState(start)
  const [theirs, setTheirs] = useState<Partial<B>>({})
  return {
    stored,
    theirs,
    isUndecided: Object.keys(theirs).length > 0,
    store: (saved) => setStored((before) => ({ ...before, ...saved })),
    conflict: setTheirs,
    settle: (name) => {
      const { [name]: value, ...others } = theirs
      setTheirs(others as unknown as Partial<B>)
      setStored((before) => ({ ...before, [name]: value }))
    },
    follow: ({ typed, known, now }) => {
      const { taken, agreed, theirs: undecided } = mergeStored({ stored, typed }, known, now)
      const merged = { ...stored, ...taken, ...agreed }
      setStored(merged)
      setTheirs((others) => mergeUndecided(others, undecided, { known, now }))
      return { merged, taken: Object.keys(taken) as (keyof B & string)[] }
    },
    restart: (fields) => {
      setStored(fields)
      setTheirs({})
    },
  }
}

/** Called when `start` changes while the form is open. */
export function useFollowedStart<B extends object>(
  { start, known, follows }: { start: B; known: B; follows: boolean },
  onChange: (known: B, now: B) => void,
): void {
  const last = useRef(known)
  const follow = useEffectEvent(() => {
    const before = last.current
    last.current = start
    onChange(before, start)
  })
  const startText = JSON.stringify(start)
  useEffect(() => {
    if (follows) follow()
  }, [follows, startText])
}
