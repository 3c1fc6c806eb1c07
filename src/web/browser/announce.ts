import { createStore } from './store.ts'

/** The latest sentence for screen readers; the shell holds the live region that speaks it. */
export const announcementStore = createStore('')

/** Announces a visual change to screen readers, such as "Copied" or "3 selected". */
export function announce(text: string) {
  // A live region with unchanged text stays silent, so it is emptied first.
  announcementStore.set('')
  requestAnimationFrame(() => announcementStore.set(text))
}
