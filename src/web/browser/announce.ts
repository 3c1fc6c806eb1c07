import { createStore } from './store.ts'

/** The latest sentence for screen readers; the shell holds the live region that speaks it. */
export const announcementStore = createStore('')

/** Says a change that is otherwise only seen, such as "Copied" or "3 selected". */
export function announce(text: string) {
  // A region that gets the same text again stays silent, so it is emptied first.
  announcementStore.set('')
  requestAnimationFrame(() => announcementStore.set(text))
}
