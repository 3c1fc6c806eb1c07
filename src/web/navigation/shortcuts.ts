import { useEffect, useRef } from 'react'
import { createStore } from '../browser/store.ts'
import { readStored, writeStored } from '../browser/stored.ts'

export interface Shortcut {
  id: string
  /** `mod+k`, `/`, `?`, or two keys in a row: `g l`. `mod` is ⌘ on Apple machines, Ctrl elsewhere. */
  keys: string
  label: string
  /** Heading in the list of shortcuts. */
  group: string
  run: (event: KeyboardEvent) => void
}

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Single-letter keys can be turned off (WCAG 2.1.4); those with a modifier stay. */
export const letterKeysStore = createStore(readStored('letter-keys') !== 'off')

export function setLetterKeys(on: boolean) {
  writeStored('letter-keys', on ? undefined : 'off')
  letterKeysStore.set(on)
}

const active = new Map<string, Shortcut>()

export const listShortcuts = (): Shortcut[] => [...active.values()]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')

const isCovered = () => document.querySelector('[role="dialog"], [role="menu"]') !== null

type Stroke = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** As in `Shortcut.keys`. Undefined with modifiers that no shortcut has: such keys are the system's or the browser's. */
export function keyOf({ key, metaKey, ctrlKey, altKey, shiftKey }: Stroke, apple = isApple): string | undefined {
  const [mod, other] = apple ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (altKey || other || (mod && shiftKey)) return undefined
  return `${mod ? 'mod+' : ''}${key.length === 1 ? key.toLowerCase() : key}`
}

/** Two keys in a row mean what they mean together, also where the second one means something alone. */
export function shortcutOf<S extends Pick<Shortcut, 'keys'>>(all: readonly S[], sequence: string, key: string) {
  const lastOf = (wanted: string) => all.findLast(({ keys }) => keys === wanted)
  return lastOf(sequence) ?? lastOf(key)
}

let firstKey = ''
let firstKeyAt = 0
const sequenceMs = 1000

function onKeyDown(event: KeyboardEvent) {
  // Autofill sends events of this kind without a key.
  if (event.defaultPrevented || !(event instanceof KeyboardEvent)) return
  const key = keyOf(event)
  if (key === undefined) return
  const withModifier = key.startsWith('mod+')
  if (!withModifier && (isTyping(event.target) || isCovered() || !letterKeysStore.get())) return
  const sequence = Date.now() - firstKeyAt < sequenceMs ? `${firstKey} ${key}` : key
  const found = shortcutOf(listShortcuts(), sequence, key)
  firstKey = key
  firstKeyAt = found ? 0 : Date.now()
  if (!found) return
  event.preventDefault()
  found.run(event)
}

/** Registers shortcuts while the component is mounted; the `?` list shows the same entries. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  const signature = shortcuts.map(({ id, keys, label }) => `${id} ${keys} ${label}`).join('\n')
  useEffect(() => {
    if (active.size === 0) window.addEventListener('keydown', onKeyDown)
    const mine = latest.current.map(({ id }) => id)
    latest.current.forEach((shortcut, index) => {
      active.set(shortcut.id, { ...shortcut, run: (event) => latest.current[index]?.run(event) })
    })
    return () => {
      for (const id of mine) active.delete(id)
      if (active.size === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [signature])
}

const symbols: Record<string, string> = { mod: isApple ? '⌘' : 'Ctrl', Enter: '↵', ArrowUp: '↑', ArrowDown: '↓' }

/** Display form of `mod+k`: `⌘K` or `Ctrl K`. */
export function readableKeys(keys: string): string {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split('+')
        .map((key) => symbols[key] ?? key.toUpperCase())
        .join(isApple ? '' : ' '),
    )
    .join(' ')
}
