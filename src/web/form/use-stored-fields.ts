import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { mergeStored, mergeUndecided } from './field-changes.ts'

/** The fields as the server has them, and what somebody else stored meanwhile until it is decided which value stays. */
export interface StoredFields<B> {
  stored: B
  theirs: Partial<B>
  isUndecided: boolean
  /** They are stored like this now. */
  store: (fields: B) => void
  /** Somebody else stored these. */
  conflict: (theirs: Partial<B>) => void
  /** Which value stays is decided: an edit is from theirs on. */
  settle: (name: keyof B & string) => void
  /** Takes what is stored `now`, where it was `known` before; gives all fields, and which of them should show it. */
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
    store: setStored,
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

/** Calls back when `start` has other values than before, while the form is open. */
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
