import { expect, test } from 'vitest'
import { keyOf, shortcutOf } from './shortcuts.ts'

const none = { metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }

test.each([
  [true, 'k', { metaKey: true }, 'mod+k'],
  [false, 'k', { ctrlKey: true }, 'mod+k'],
  // With Caps Lock.
  [false, 'K', { ctrlKey: true }, 'mod+k'],
  [true, 'n', {}, 'n'],
  [false, '?', { shiftKey: true }, '?'],
  // Control and a letter move the cursor on a Mac; the Windows key belongs to the system.
  [true, 'n', { ctrlKey: true }, undefined],
  [false, 'n', { metaKey: true }, undefined],
  // Screenshots and developer tools.
  [false, 'S', { ctrlKey: true, shiftKey: true }, undefined],
  [true, 'K', { metaKey: true, shiftKey: true }, undefined],
  [true, 'n', { altKey: true }, undefined],
])('on a Mac: %j, the key %s with %j is the shortcut %s', (apple, key, modifiers, expected) => {
  expect(keyOf({ ...none, key, ...modifiers }, apple)).toBe(expected)
})

test('two keys in a row open their page, also where the second key is an action of what is open', () => {
  // Registered last, by the panel.
  const all = [{ keys: 'g e' }, { keys: 'e' }]
  expect(shortcutOf(all, 'g e', 'e')?.keys).toBe('g e')
  expect(shortcutOf(all, 'e', 'e')?.keys).toBe('e')
  expect(shortcutOf(all, 'n e', 'e')?.keys).toBe('e')
  expect(shortcutOf(all, 'g n', 'n')).toBeUndefined()
})
