import { expect, test } from 'vitest'
import { panelKinds, panelSubject, panelText } from './panel-address.ts'

test('a subject is the same after it was written to an address, whatever its name contains', () => {
  for (const kind of panelKinds) {
    for (const id of ['KEY-1', 'a:b', ':', 'user:x', '2001:db8::1', 'two\nlines', 'ã&?#%']) {
      expect(panelSubject(panelText({ kind, id }))).toEqual({ kind, id })
    }
  }
})

test('anything else in an address opens no panel', () => {
  for (const text of [undefined, '', 'user', 'user:', ':x', 'plan:x', 'User:x', ' user:x', 'toString:x']) {
    expect(panelSubject(text), text).toBeUndefined()
  }
})
